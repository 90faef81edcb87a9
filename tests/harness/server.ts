import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import {
  type App,
  aloneInCheckout,
  buildApp,
  createProgress,
  type DataLock,
  endProcess,
  freePort,
  isAlive,
  launchApp,
  localUrl,
  startPostgres,
  takeDataDir,
  waitForExit,
  waitUntilReady,
} from "@/scripts/lib/harness.mjs";
import { createTestDatabase } from "./database";
import { sweep } from "./sweep";

export { waitFor } from "./wait-for";

const root = path.resolve(import.meta.dirname, "../..");
const HOST = "127.0.0.1";
/** Settings of the person who runs the tests must not reach the server under test. */
const OURS =
  /^(DORMOUSE_|ANTHROPIC_|OPENAI_|GOOGLE_GENERATIVE_AI_|AI_GATEWAY_|DATABASE_URL$|TEST_DATABASE_URL$|PORT$|HOST$|HOSTNAME$|VITEST|NODE_ENV$|WORKFLOW_)/;

export interface StartOptions {
  /** Settings on top of the defaults; `undefined` takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Kept at the end if it is given, else temporary. */
  readonly dataDir?: string;
  readonly port?: number;
  /** A Postgres of its own below the data directory instead of a database of the run's. */
  readonly ownPostgres?: boolean;
  /** False: does not wait until it is ready, for servers that are meant to die while starting. */
  readonly waitReady?: boolean;
}

/** A Dormouse under test: the production build, as `npm start` runs it. */
export interface Dormouse {
  readonly url: string;
  readonly token: string;
  /** Of the present process of the app. */
  readonly pid: number;
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** Everything that the app has printed. */
  readonly logs: string;
  /** Resolves with how the present process ended, such as "code 1" or "SIGKILL". */
  readonly exited: Promise<string>;
  /** Ends it with a signal and waits: SIGINT seals sandboxes, SIGTERM leaves them for the next start. */
  end(signal?: "SIGINT" | "SIGTERM"): Promise<void>;
  /** SIGKILL, and waits until it is gone. */
  kill9(): Promise<void>;
  /** Starts it again on the same data, after SIGTERM if it still runs. `env` goes on top of the first one's. */
  restart(more?: Pick<StartOptions, "env" | "waitReady">): Promise<void>;
  /** Ends everything and removes what was temporary. */
  stop(): Promise<void>;
}

let built: Promise<void> | undefined;

/** One build per run; `npm test` has made it already. */
function ensureBuilt(): Promise<void> {
  if (process.env.DORMOUSE_TEST_BUILT) return Promise.resolve();
  const progress = createProgress(() => {});
  built ??= aloneInCheckout({ root, progress }, () => buildApp({ root, progress }));
  return built;
}

async function provideDatabase(dataDir: string, own: boolean): Promise<{ url: string; end(): Promise<void> }> {
  if (own || !process.env.TEST_DATABASE_URL) {
    const postgres = await startPostgres({ dataDir, durable: false, maxConnections: 200 });
    return { url: postgres.url, end: () => postgres.stop() };
  }
  const database = await createTestDatabase({ migrated: false });
  return { url: database.url, end: () => database.drop() };
}

async function lockDataDir(dataDir: string): Promise<DataLock> {
  const taken = await takeDataDir(dataDir, () => {});
  if ("holder" in taken) throw new Error(`the data directory ${dataDir} is in use: ${taken.holder.url}`);
  return taken.lock;
}

/** Starts a Dormouse on a free port and waits until it is ready. The caller ends it with `stop()`. */
export async function startDormouse(options: StartOptions = {}): Promise<Dormouse> {
  await ensureBuilt();
  const dataDir = options.dataDir ?? mkdtempSync(path.join(os.tmpdir(), "dormouse-test-"));
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockDataDir(dataDir);
  const database = await provideDatabase(dataDir, options.ownPostgres ?? false);
  const port = options.port ?? (await freePort());
  const url = localUrl({ host: HOST, port });
  const token = options.env?.DORMOUSE_TOKEN ?? randomBytes(32).toString("base64url");
  const logFile = path.join(dataDir, "app.log");
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OURS.test(name)));
  let env: Record<string, string | undefined> = { ...inherited, ...options.env };
  let app: App;

  async function launch(waitReady: boolean): Promise<void> {
    app = launchApp({ root, host: HOST, port, dataDir, databaseUrl: database.url, token, logFile, env });
    lock.update({ phase: "running", url: `${url}/?token=${token}`, databaseUrl: database.url, app: app.identity });
    if (waitReady) await waitUntilReady({ app, host: HOST, port, logFile });
  }
  async function end(signal: "SIGINT" | "SIGTERM" = "SIGTERM"): Promise<void> {
    await endProcess(app.identity, [{ signal, waitMs: 20_000 }]);
    await app.exited;
  }
  async function stop(): Promise<void> {
    const killed = !isAlive(app.identity);
    if (!killed) await end("SIGINT");
    await sweep(dataDir);
    await database.end();
    lock.release();
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }

  try {
    await launch(options.waitReady ?? true);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ...{ url, token, dataDir, databaseUrl: database.url, end, stop },
    get pid() {
      return app.identity.pid;
    },
    get logs() {
      return readFileSync(logFile, "utf8");
    },
    get exited() {
      return app.exited;
    },
    async kill9() {
      if (isAlive(app.identity)) process.kill(app.identity.pid, "SIGKILL");
      await waitForExit(app.identity, 10_000);
      await app.exited;
    },
    async restart(more = {}) {
      if (isAlive(app.identity)) await end("SIGTERM");
      env = { ...env, ...more.env };
      await launch(more.waitReady ?? true);
    },
  };
}
