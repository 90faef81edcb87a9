// The embedded Postgres of one-machine mode: made once, started, adopted when an earlier start left it running, stopped.
import { spawn } from "node:child_process";
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { keptSecret } from "./data-dir.mjs";
import { freePort, portProblem } from "./ports.mjs";
import { findPostgresBinaries } from "./postgres-binaries.mjs";
import { databaseUrl, ensureDatabase, probe } from "./postgres-client.mjs";
import { createLauncher } from "./postgres-launch.mjs";
import { endProcess, identify, isAlive, run, tailOf } from "./processes.mjs";
import { SetupError } from "./progress.mjs";

const DATABASE = "dormouse";
const USER = "dormouse";
/** Crash recovery after a kill may replay a lot; a minute is far beyond what 256 MB of log can take. */
const READY_TIMEOUT_MS = 60_000;
const LOG_LIMIT_BYTES = 10 * 1024 ** 2;

const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  shared_buffers: "64MB",
  max_wal_size: "256MB",
  log_timezone: "UTC",
  timezone: "UTC",
};
const MAX_CONNECTIONS = 100;
/** For databases that a test throws away. */
const NOT_DURABLE = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

/**
 * @typedef {object} EmbeddedPostgres
 * @property {string} url of the database `dormouse`, password included
 * @property {boolean} adopted whether it ran already
 * @property {import("./processes.mjs").ProcessIdentity} identity of the postmaster
 * @property {() => Promise<void>} stop ends it: fast (SIGINT), after 10 s at once (SIGQUIT)
 */

/** @typedef {{ pgData: string, clusterDir: string, portFile: string, logFile: string, password: string }} Cluster */

/** @param {Cluster} cluster @param {number} port @returns {string} */
const adminUrl = ({ password }, port) => `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`;

/**
 * @param {Pick<Cluster, "pgData">} cluster
 * @returns {{ identity: import("./processes.mjs").ProcessIdentity, port: number } | null} the server that holds this
 *   cluster. A pid file left by a dead one is removed, also when its pid belongs to somebody else by now.
 */
function findPostmaster({ pgData }) {
  const pidFile = join(pgData, "postmaster.pid");
  let lines;
  try {
    lines = readFileSync(pidFile, "utf8").split("\n");
  } catch {
    return null;
  }
  const identity = identify(Number(lines[0]));
  try {
    // Postgres works in its data folder; this comparison also holds across mount namespaces.
    const cwd = identity && statSync(`/proc/${identity.pid}/cwd`);
    const folder = statSync(pgData);
    if (identity && cwd && cwd.dev === folder.dev && cwd.ino === folder.ino)
      return { identity, port: Number(lines[3]) };
  } catch {
    // Gone in between, or a process of somebody else: not ours either way.
  }
  rmSync(pidFile, { force: true });
  return null;
}

/** Makes the cluster in a folder beside its place, so that an interrupted start leaves nothing half made. */
async function initialise(cluster, launcher, durable) {
  const fresh = join(cluster.clusterDir, "data.new");
  const passwordFile = join(cluster.clusterDir, "password.new");
  rmSync(fresh, { recursive: true, force: true });
  writeFileSync(passwordFile, cluster.password, { mode: 0o600 });
  if (launcher.owner) chownSync(passwordFile, launcher.owner.uid, launcher.owner.gid);
  try {
    const { command, args, options } = launcher.command("initdb", (at) => [
      ...["-D", `${at.cluster}/data.new`, "-U", USER, "--auth=scram-sha-256", `--pwfile=${at.cluster}/password.new`],
      ...["-E", "UTF8", "--locale=C", ...(durable ? [] : ["--no-sync"])],
    ]);
    const made = await run(command, args, options);
    if (made.code !== 0)
      throw new SetupError(`Postgres could not be set up (initdb):\n${(made.stderr || made.stdout).trim()}`);
    renameSync(fresh, cluster.pgData);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** @returns {Promise<number>} the port of last time if it is free, so that tools keep working; else another */
async function choosePort({ portFile }) {
  const kept = existsSync(portFile) ? Number(readFileSync(portFile, "utf8")) : 0;
  if (kept > 0 && (await portProblem(kept, "127.0.0.1")) === null) return kept;
  const port = await freePort();
  writeFileSync(portFile, `${port}\n`, { mode: 0o600 });
  return port;
}

/**
 * Waits until the server answers with our password.
 * @returns {Promise<"ready" | "gone" | "silent">}
 */
async function waitUntilReady(identity, url, timeoutMs) {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await probe(url);
    if (answer.ok) return "ready";
    if (answer.code === "28P01")
      throw new SetupError(
        "The embedded Postgres does not know the password in <data directory>/postgres/password. Was the file replaced?",
      );
    if (!isAlive(identity)) return "gone";
    if (Date.now() > deadline) return "silent";
    await delay(100);
  }
}

/** Starts the server once. @returns {Promise<{ identity: any, port: number } | { failure: string }>} */
async function launch(cluster, launcher, { durable, maxConnections }) {
  const port = await choosePort(cluster);
  const settings = Object.entries({
    ...SETTINGS,
    ...(durable ? {} : NOT_DURABLE),
    max_connections: maxConnections,
    port,
  });
  const { command, args, options } = launcher.command("postgres", (at) => [
    ...["-D", `${at.cluster}/data`, ...settings.flatMap(([name, value]) => ["-c", `${name}=${value}`])],
  ]);
  if (existsSync(cluster.logFile) && statSync(cluster.logFile).size > LOG_LIMIT_BYTES)
    renameSync(cluster.logFile, `${cluster.logFile}.1`);
  // A file, not a pipe: the server must be able to outlive us. Its own group: Ctrl-C is not meant for it.
  const log = openSync(cluster.logFile, "a", 0o600);
  const child = spawn(command, args, { ...options, detached: true, stdio: ["ignore", log, log] });
  closeSync(log);
  const failed = new Promise((resolve) => child.once("error", (error) => resolve(error.message)));
  if (!child.pid) return { failure: await failed };
  child.unref();
  const identity = identify(child.pid);
  if (!identity) return { failure: tailOf(cluster.logFile, 2_000) };
  const outcome = await waitUntilReady(identity, adminUrl(cluster, port), READY_TIMEOUT_MS);
  if (outcome === "ready") return { identity, port };
  await endPostmaster(identity);
  return { failure: tailOf(cluster.logFile, 2_000) };
}

const endPostmaster = (identity) =>
  endProcess(identity, [
    { signal: "SIGINT", waitMs: 10_000 },
    { signal: "SIGQUIT", waitMs: 10_000 },
  ]);

/** @returns {Promise<{ identity: any, port: number } | null>} the server of an earlier start, once it answers */
async function adopt(cluster) {
  const running = findPostmaster(cluster);
  if (!running) return null;
  const outcome = await waitUntilReady(running.identity, adminUrl(cluster, running.port), READY_TIMEOUT_MS);
  if (outcome === "ready") return running;
  if (outcome === "silent") await endPostmaster(running.identity);
  return null;
}

/**
 * Brings up the Postgres of a data directory: makes it at the first call, adopts it when it runs already.
 * The caller holds the lock of the data directory.
 * @param {{ dataDir: string, log?: (text: string) => void, durable?: boolean, maxConnections?: number }} options
 *   `durable: false` is for tests: faster, may lose data in a power cut, and ends when this process is killed
 * @returns {Promise<EmbeddedPostgres>}
 * @throws {SetupError} with the end of the server's log when it does not come up
 */
export async function startPostgres({ dataDir, log = () => {}, durable = true, maxConnections = MAX_CONNECTIONS }) {
  const home = join(dataDir, "postgres");
  const clusterDir = join(home, "cluster");
  mkdirSync(clusterDir, { recursive: true, mode: 0o700 });
  const cluster = {
    clusterDir,
    pgData: join(clusterDir, "data"),
    portFile: join(home, "port"),
    logFile: join(home, "postgres.log"),
    password: keptSecret(join(home, "password")),
  };
  const { nativeDir, major } = findPostgresBinaries();

  const adopted = await adopt(cluster);
  let running = adopted;
  if (!running) {
    const launcher = await createLauncher({ nativeDir, clusterDir, dataDir, outlivesUs: durable });
    if (!existsSync(cluster.pgData)) {
      log("making the database (once)");
      await initialise(cluster, launcher, durable);
    }
    const found = readFileSync(join(cluster.pgData, "PG_VERSION"), "utf8").trim();
    if (found !== major)
      throw new SetupError(
        `The database in ${cluster.pgData} is of Postgres ${found}, this version of Dormouse brings Postgres ${major}.`,
      );
    let failure = "";
    // A port can be taken between choosing and listening; anything else is not tried again.
    for (let attempt = 0; attempt < 3 && !running; attempt++) {
      const launched = await launch(cluster, launcher, { durable, maxConnections });
      if (!("failure" in launched)) running = launched;
      else failure = launched.failure;
      if (!running && !/could not bind|Address already in use/i.test(failure)) break;
    }
    if (!running) throw new SetupError(`Postgres did not start. The end of ${cluster.logFile}:\n${failure.trim()}`);
  }
  const { identity, port } = running;
  await ensureDatabase(adminUrl(cluster, port), DATABASE);
  return {
    url: databaseUrl(adminUrl(cluster, port), DATABASE),
    adopted: adopted !== null,
    identity,
    stop: () => endPostmaster(identity),
  };
}

/**
 * Ends the Postgres of a data directory, whoever started it. Does nothing where none runs.
 * @param {string} dataDir
 */
export async function stopPostgres(dataDir) {
  const running = findPostmaster({ pgData: join(dataDir, "postgres", "cluster", "data") });
  if (running) await endPostmaster(running.identity);
}
