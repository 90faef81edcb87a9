// The course of `npm start`: data directory, packages, host, database, build, app; then watching; then ending in order.
import { existsSync, mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { launchApp, localUrl, portTaken, publicUrl, waitUntilReady } from "./app.mjs";
import { buildApp } from "./build.mjs";
import { ensureDataDir, ownerToken, resolveDataDir } from "./data-dir.mjs";
import { takeDataDir } from "./data-lock.mjs";
import { freePort, portProblem } from "./ports.mjs";
import { endProcess, endRunning, isAlive } from "./processes.mjs";
import { SetupError } from "./progress.mjs";
import { aloneInCheckout, setUp } from "./setup.mjs";
import { endApp, onStopSignals, watch } from "./supervise.mjs";

const LOG_LIMIT_BYTES = 20 * 1024 ** 2;

/** Thrown to leave the set-up when the person stops it. */
class Stopped extends Error {}

/** @param {NodeJS.ProcessEnv} env @returns {Promise<{ host: string, port: number }>} `PORT=0`: any free one */
async function parseAddress(env) {
  const port = Number(env.PORT || "3000");
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new SetupError(`PORT must be a number from 1 to 65535, it is "${env.PORT}".`);
  return { host: env.HOST || "127.0.0.1", port: port || (await freePort()) };
}

/** @param {{ host: string, port: number }} address @throws {SetupError} when it cannot be listened on */
async function requirePort({ host, port }) {
  const problem = await portProblem(port, host);
  if (problem === null) return;
  if (problem === "EADDRINUSE") throw portTaken(port);
  if (problem === "EACCES")
    throw new SetupError(`Port ${port} is reserved for root. Choose another one: PORT=3000 npm start`);
  throw new SetupError(`Cannot listen on HOST=${host} PORT=${port} (${problem}).`);
}

/** @param {string} dataDir @returns {string} the file that gets what the app prints */
function prepareLog(dataDir) {
  const folder = join(dataDir, "logs");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, "app.log");
  if (existsSync(file) && statSync(file).size > LOG_LIMIT_BYTES) renameSync(file, `${file}.1`);
  return file;
}

/** @param {string} url @throws {SetupError} when the database of the settings does not answer */
async function requireDatabase(url) {
  const { probe } = await import("./postgres-client.mjs");
  const answer = await probe(url).catch(() => ({ ok: false, code: "not a URL" }));
  if (!answer.ok) throw new SetupError(`The database that DATABASE_URL names does not answer (${answer.code}).`);
}

/**
 * Runs Dormouse until it is told to stop.
 * @param {{ root: string, env: NodeJS.ProcessEnv, progress: import("./progress.mjs").Progress }} options
 * @returns {Promise<number>} the exit code
 */
export async function runDormouse({ root, env, progress }) {
  const dataDir = resolveDataDir(env);
  /** @type {"SIGINT" | "SIGTERM" | null} */
  let stopSignal = null;
  /** @type {() => void} */
  let wake = () => {};
  const stopRequested = new Promise((resolve) => {
    wake = () => resolve(undefined);
  });
  const say = (/** @type {string} */ text) => progress.say("stop", text);
  const parts = { app: /** @type {any} */ (null), postgres: /** @type {any} */ (null) };
  onStopSignals({
    say,
    stop(signal, cause) {
      stopSignal = signal;
      say(`asked to stop (${cause})`);
      endRunning();
      wake();
    },
    stopNow: () => parts.app && process.kill(parts.app.identity.pid, "SIGKILL"),
  });
  const goOn = () => {
    if (stopSignal) throw new Stopped();
  };

  ensureDataDir(dataDir);
  const address = await parseAddress(env);
  const taken = await takeDataDir(dataDir, (text) => progress.say("data", text));
  if ("holder" in taken) {
    console.log(`Dormouse already runs on this data directory: ${taken.holder.url}`);
    return 0;
  }
  const { lock } = taken;
  try {
    await endLeftover(lock, progress);
    await requirePort(address);
    progress.say("data", dataDir);
    goOn();
    await setUp({ root, dataDir, progress });
    goOn();

    const settings = {
      root,
      ...address,
      dataDir,
      databaseUrl: env.DATABASE_URL ?? "",
      token: ownerToken(dataDir, env),
    };
    const logFile = prepareLog(dataDir);
    const startDatabase = async () => {
      const { startPostgres } = await import("./postgres.mjs");
      parts.postgres = await startPostgres({ dataDir, log: (text) => progress.say("database", text) });
      settings.databaseUrl = parts.postgres.url;
      lock.update({ databaseUrl: settings.databaseUrl });
    };
    if (settings.databaseUrl) {
      await requireDatabase(settings.databaseUrl);
      progress.say("database", "the one that DATABASE_URL names");
    } else {
      await startDatabase();
      progress.say(
        "database",
        parts.postgres.adopted ? "embedded Postgres (was still running)" : "embedded Postgres started",
      );
    }
    goOn();
    await aloneInCheckout({ root, progress }, () => buildApp({ root, progress }));
    goOn();

    const startApp = async () => {
      const again = parts.app !== null;
      // A crash that a test asked for happens once, not at every restart.
      const appEnv = again ? { ...env, DORMOUSE_CRASH_AT: "" } : env;
      const databaseEnded = () => parts.postgres !== null && !isAlive(parts.postgres.identity);
      parts.app = launchApp({ ...settings, env: appEnv, logFile });
      lock.update({ app: parts.app.identity });
      await waitUntilReady({
        ...{ app: parts.app, ...address, logFile },
        // Without its database the app never gets ready; whoever watches brings that back first.
        cancelled: () => stopSignal !== null || (again && databaseEnded()),
        say: (text) => progress.say("start", text),
      });
    };
    await requirePort(address);
    await progress.run("start", `starting the app on ${localUrl(address)}`, startApp);
    goOn();
    const link = `${publicUrl(address)}/?token=${settings.token}`;
    lock.update({ phase: "running", url: link, databaseUrl: settings.databaseUrl });
    console.log(`\nDormouse is ready: ${link}`);

    const restartPostgres = async () => {
      const before = settings.databaseUrl;
      await startDatabase();
      // The app keeps the address for its life.
      if (settings.databaseUrl !== before) await endApp(parts.app.identity, "SIGTERM");
    };
    const restartApp = async () => {
      try {
        await startApp();
        progress.say("start", "the app is back");
      } catch (error) {
        // One that ended again is the brake's business; one that is only slow may still get ready.
        progress.say("start", String(error.message).split("\n")[0]);
      }
    };
    await Promise.race([
      watch({
        parts,
        restartApp,
        restartPostgres,
        stopping: () => stopSignal !== null,
        say: (text) => progress.say("watch", text),
      }),
      stopRequested,
    ]);
    return 0;
  } catch (error) {
    // What was cut off by the stop fails in its own way; that is no failure of ours.
    if (stopSignal) return 0;
    throw error;
  } finally {
    lock.update({ phase: "stopping" });
    await stopInOrder(parts, stopSignal ?? "SIGTERM", say);
    lock.release();
  }
}

/** Ends the app that a killed start left running. Its database is adopted later. */
async function endLeftover(lock, progress) {
  const app = lock.previous?.app;
  if (!app || !isAlive(app)) return;
  progress.say("data", `ending the app (process ${app.pid}) that a killed start left running`);
  await endProcess(app, [{ signal: "SIGTERM", waitMs: 15_000 }]);
}

/** The app first, with the sandboxes; the database last. */
async function stopInOrder(parts, signal, say) {
  if (parts.app && isAlive(parts.app.identity)) {
    say(signal === "SIGINT" ? "putting sandboxes to sleep, stopping the app" : "stopping the app");
    await endApp(parts.app.identity, signal);
  }
  if (parts.postgres) {
    await parts.postgres.stop();
    say("database stopped");
  }
}
