// One process of the app: `next start` on the production build.
import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { endsWithUs, identify, isAlive, tailOf } from "./processes.mjs";
import { SetupError } from "./progress.mjs";

/**
 * @typedef {object} AppSettings
 * @property {string} root the checkout, built
 * @property {number} port
 * @property {string} host
 * @property {string} dataDir
 * @property {string} databaseUrl
 * @property {string} token of the owner
 * @property {string} logFile gets everything that the app prints
 * @property {NodeJS.ProcessEnv} [env] further settings
 * @property {boolean} [outlivesUs] true: it goes on when this process is killed; false: it then gets SIGTERM
 */

/** @param {AppSettings} settings @returns {NodeJS.ProcessEnv} */
function appEnvironment({ root, port, host, dataDir, databaseUrl, token, env = process.env }) {
  const inherited = Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_/i.test(name)));
  return {
    ...inherited,
    ...{ PORT: String(port), HOST: host, HOSTNAME: host, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    ...{
      DATABASE_URL: databaseUrl,
      DORMOUSE_DATA_DIR: dataDir,
      DORMOUSE_TOKEN: token,
      DORMOUSE_NODE: process.execPath,
      // Compiled code of earlier starts, thrown away with the build.
      NODE_COMPILE_CACHE: join(root, ".next", "compiled"),
    },
    // Next's own handlers end the process without waiting for sandboxes to be sealed; the app installs its own.
    NEXT_MANUAL_SIG_HANDLE: "true",
  };
}

/**
 * @typedef {object} App
 * @property {import("./processes.mjs").ProcessIdentity} identity
 * @property {Promise<string>} exited resolves with how it ended, such as "code 1" or "SIGKILL"
 */

/**
 * Starts the app in a process group of its own, so that Ctrl-C reaches it once, through us.
 * @param {AppSettings} settings
 * @returns {App}
 */
export function launchApp(settings) {
  const next = join(settings.root, "node_modules", "next", "dist", "bin", "next");
  const args = [next, "start", "-p", String(settings.port), "-H", settings.host];
  const log = openSync(settings.logFile, "a", 0o600);
  const command = settings.outlivesUs ? [process.execPath, args] : endsWithUs("SIGTERM", process.execPath, args);
  const child = spawn(.../** @type {[string, string[]]} */ (command), {
    cwd: settings.root,
    env: appEnvironment(settings),
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  const exited = new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(signal ?? `code ${code}`));
  });
  const identity = child.pid ? identify(child.pid) : null;
  return { identity: identity ?? { pid: child.pid ?? 0, startTime: "never" }, exited };
}

/** @param {string} host @returns {string} the address at which this machine reaches that listener */
function reachable(host) {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

/** @param {{ host: string, port: number }} where @returns {string} the address for a browser */
export function publicUrl({ host, port }) {
  const name = ["127.0.0.1", "::1", "0.0.0.0", "::"].includes(host) ? "localhost" : reachable(host);
  return `http://${name}:${port}`;
}

/** @param {{ host: string, port: number }} where @returns {string} the address for this machine, without names */
export function localUrl({ host, port }) {
  return `http://${reachable(host)}:${port}`;
}

/** What `GET /api/readyz` names as down, in a few words; "" when it names nothing. */
function whatIsDown(text) {
  try {
    const body = JSON.parse(text);
    if (Array.isArray(body.down)) return body.down.map((item) => item?.name ?? String(item)).join(", ");
    if (body.error?.details?.down) return [body.error.details.down].flat().join(", ");
    return body.error?.message ?? "";
  } catch {
    return "";
  }
}

/**
 * Waits until `GET /api/readyz` answers 200.
 * @param {{ app: App, host: string, port: number, logFile: string, timeoutMs?: number, say?: (text: string) => void,
 *   cancelled?: () => boolean }} options
 * @throws {SetupError} when the app ends first or the time is over
 */
export async function waitUntilReady({
  app,
  host,
  port,
  logFile,
  timeoutMs = 120_000,
  say = () => {},
  cancelled = () => false,
}) {
  const deadline = Date.now() + timeoutMs;
  let said = "";
  while (!cancelled()) {
    const answer = await fetch(`${localUrl({ host, port })}/api/readyz`, { signal: AbortSignal.timeout(5_000) })
      .then(async (response) => ({ status: response.status, down: whatIsDown(await response.text()) }))
      .catch(() => null);
    if (!isAlive(app.identity)) {
      const log = tailOf(logFile);
      if (/EADDRINUSE/.test(log.slice(-3_000))) throw portTaken(port);
      throw new SetupError(
        `The app ended while starting (${await app.exited}). The end of ${logFile}:\n\n${log.trim()}`,
      );
    }
    if (answer?.status === 200) return;
    if (answer?.down && answer.down !== said) say(`waiting for: ${answer.down}`);
    said = answer?.down || said;
    if (Date.now() > deadline)
      throw new SetupError(
        `The app is not ready after ${timeoutMs / 1000} s${said ? ` (down: ${said})` : ""}. The end of ${logFile}:\n\n${tailOf(logFile).trim()}`,
      );
    await delay(200);
  }
}

/** @param {number} port @returns {SetupError} */
export function portTaken(port) {
  return new SetupError(`Port ${port} is in use by another program. Choose another one: PORT=${port + 1} npm start`);
}
