// Keeps the app and its database running until somebody ends them.
import { setTimeout as delay } from "node:timers/promises";
import { endProcess, isAlive } from "./processes.mjs";
import { SetupError } from "./progress.mjs";

const RESTARTS_PER_MINUTE = 5;
const WATCH_MS = 1_000;
/** Sealing all sandboxes takes up to 10 s (design.md, section 7). */
const SEAL_WAIT_MS = 15_000;
/** Steps finish or let go of their leases. */
const TERM_WAIT_MS = 25_000;

/**
 * A brake for restarts: waits longer each time, and refuses after the fifth within a minute.
 * @param {() => number} now in milliseconds
 * @returns {() => number | null} how long to wait before this restart, in milliseconds; null: no more
 */
export function createBrake(now = Date.now) {
  /** @type {number[]} */
  let recent = [];
  return () => {
    recent = recent.filter((at) => now() - at < 60_000);
    if (recent.length >= RESTARTS_PER_MINUTE) return null;
    recent.push(now());
    return 250 * 2 ** (recent.length - 1);
  };
}

/**
 * Watches both until `stopped` settles. Either one that ends by itself is started again.
 * @param {object} options
 * @param {{ app: import("./app.mjs").App, postgres: import("./postgres.mjs").EmbeddedPostgres | null }} options.parts
 *   changed in place, so that the caller always knows what runs
 * @param {() => Promise<void>} options.restartApp
 * @param {() => Promise<void>} options.restartPostgres
 * @param {() => boolean} options.stopping
 * @param {(text: string) => void} options.say
 * @throws {SetupError} when one of them keeps ending
 */
export async function watch({ parts, restartApp, restartPostgres, stopping, say }) {
  const brakes = { app: createBrake(), database: createBrake() };
  const ended = new Map();
  const bringBack = async (/** @type {"app" | "database"} */ name, restart) => {
    const waitMs = brakes[name]();
    if (waitMs === null) throw new SetupError(`The ${name} ended ${RESTARTS_PER_MINUTE + 1} times within a minute.`);
    say(`the ${name} ended unexpectedly${ended.get(name) ?? ""}, starting it again`);
    await delay(waitMs);
    if (!stopping()) await restart();
  };
  while (!stopping()) {
    if (parts.postgres && !isAlive(parts.postgres.identity)) await bringBack("database", restartPostgres);
    else if (!isAlive(parts.app.identity)) await bringBack("app", restartApp);
    else await delay(WATCH_MS);
  }
}

/**
 * Ends the app. After SIGINT it puts its sandboxes to sleep first; after SIGTERM it leaves them for the next start.
 * @param {import("./processes.mjs").ProcessIdentity} identity
 * @param {"SIGINT" | "SIGTERM"} signal sent once
 */
export function endApp(identity, signal) {
  return endProcess(identity, [{ signal, waitMs: signal === "SIGINT" ? SEAL_WAIT_MS : TERM_WAIT_MS }]);
}

/** One press of Ctrl-C arrives twice when npm passes it on as well. */
const SAME_PRESS_MS = 1_000;

/**
 * Calls `stop` at the first signal, with the words for what asked for it. Further presses of Ctrl-C say that it takes a moment; the third stops at once.
 * @param {{ stop: (signal: "SIGINT" | "SIGTERM", cause: string) => void, stopNow: () => void, say: (text: string) => void }} actions
 */
export function onStopSignals({ stop, stopNow, say }) {
  let presses = 0;
  let lastAt = 0;
  const receive = (/** @type {"SIGINT" | "SIGTERM"} */ signal, /** @type {string} */ cause) => {
    if (Date.now() - lastAt < SAME_PRESS_MS) return;
    lastAt = Date.now();
    presses += 1;
    if (presses === 1) stop(signal, cause);
    else if (signal === "SIGTERM") return;
    else if (presses === 2) say("still stopping; press Ctrl-C again to stop at once");
    else stopNow();
  };
  process.on("SIGINT", () => receive("SIGINT", "Ctrl-C"));
  process.on("SIGTERM", () => receive("SIGTERM", "SIGTERM"));
  process.on("SIGHUP", () => receive("SIGTERM", "the terminal was closed"));
  // The Node that started us was killed (node24.mjs).
  process.on("disconnect", () => receive("SIGTERM", "the process that started this was killed"));
}
