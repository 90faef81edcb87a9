import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { sweep } from "@/tests/harness/sweep";
import { waitFor } from "@/tests/harness/wait-for";
import { readHolder } from "./lib/lock.mjs";
import { freePort } from "./lib/ports.mjs";
import { identify, isAlive } from "./lib/processes.mjs";

const script = fileURLToPath(new URL("./start.mjs", import.meta.url));
const READY = /^Dormouse is ready: (http:\/\/localhost:\d+\/\?token=\S+)$/m;
const LIMIT_MS = 90_000;

let dataDir = "";
let port = 0;
let started = [];
// One for all tests: each one starts from what the one before left, as on a real machine.
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), "dormouse-start-"));
});
beforeEach(async () => {
  port = await freePort();
});
afterEach(async () => {
  for (const { child, exited } of started) {
    child.kill("SIGTERM");
    await exited;
  }
  started = [];
});
afterAll(async () => {
  await sweep(dataDir);
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

/** What `npm start` runs, with its output collected. */
function npmStart(env = {}) {
  const settings = { ...process.env, DORMOUSE_DATA_DIR: dataDir, PORT: String(port), DATABASE_URL: "", ...env };
  const child = spawn(process.execPath, [script], { env: settings, stdio: ["ignore", "pipe", "pipe"] });
  const start = { child, output: "", exited: new Promise((resolve) => child.once("exit", resolve)) };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      start.output += text;
    });
  started.push(start);
  return start;
}
const link = (start) =>
  waitFor(
    () => {
      if (start.child.exitCode !== null && !READY.test(start.output)) throw new Error(start.output);
      return READY.exec(start.output)?.[1];
    },
    { timeoutMs: LIMIT_MS, what: "the link" },
  );
const holder = () => readHolder(join(dataDir, "dormouse.lock"));
const isReady = () => fetch(`http://127.0.0.1:${port}/api/readyz`).then((answer) => answer.ok);
const postmaster = () =>
  identify(Number(readFileSync(join(dataDir, "postgres/cluster/data/postmaster.pid"), "utf8").split("\n")[0]));

it("the last line is the link; Ctrl-C ends the app, then the database, and leaves nothing running", async () => {
  const start = npmStart();
  await link(start);
  expect(start.output.trim().split("\n").at(-1)).toMatch(READY);
  const { app } = holder();
  const database = postmaster();
  start.child.kill("SIGINT");
  start.child.kill("SIGINT");
  expect(await start.exited).toBe(0);
  expect(isAlive(app)).toBe(false);
  expect(isAlive(database)).toBe(false);
  expect(readdirSync(join(dataDir, "postgres/cluster/data"))).not.toContain("postmaster.pid");
});

it("a start on a data directory in use waits for the first one and prints its link", async () => {
  const first = npmStart();
  await waitFor(() => holder()?.phase === "starting", { timeoutMs: LIMIT_MS });
  const second = npmStart({ PORT: String(await freePort()) });
  expect(await second.exited).toBe(0);
  expect(second.output).toContain(`already runs on this data directory: ${await link(first)}`);
});

it("a port in use is a line that says what to type", async () => {
  const other = createServer();
  await new Promise((resolve) => other.listen(port, "127.0.0.1", () => resolve(undefined)));
  const start = npmStart();
  expect(await start.exited).toBe(1);
  expect(start.output).toContain(
    `Port ${port} is in use by another program. Choose another one: PORT=${port + 1} npm start`,
  );
  other.close();
});

it("after kill -9 the next start ends what was left, takes the database over and is ready with the same link", async () => {
  const first = npmStart();
  const url = await link(first);
  const { app } = holder();
  const database = postmaster();
  first.child.kill("SIGKILL");
  const second = npmStart();
  expect(await link(second)).toBe(url);
  expect(isAlive(app)).toBe(false);
  expect(postmaster()).toEqual(database);
  expect(second.output).toContain("was still running");
});

it("kill -9 of everything at once leaves nothing that the next start trips over", async () => {
  const first = npmStart();
  const url = await link(first);
  const pids = [first.child.pid, holder().app.pid, postmaster()?.pid];
  for (const pid of pids) process.kill(pid, "SIGKILL");
  expect(await link(npmStart())).toBe(url);
});

it("an app or a database that ends by itself is started again", async () => {
  await link(npmStart());
  const { app } = holder();
  process.kill(app.pid, "SIGKILL");
  await waitFor(async () => holder().app.pid !== app.pid && (await isReady()), { timeoutMs: LIMIT_MS });
  const database = postmaster();
  process.kill(database.pid, "SIGKILL");
  await waitFor(async () => postmaster().pid !== database.pid && (await isReady()), { timeoutMs: LIMIT_MS });
});

it("a database that ends while the app is being started again is brought back first", async () => {
  await link(npmStart());
  const { app } = holder();
  const database = postmaster();
  process.kill(app.pid, "SIGKILL");
  await waitFor(() => holder().app.pid !== app.pid, { timeoutMs: LIMIT_MS });
  process.kill(database.pid, "SIGKILL");
  await waitFor(async () => postmaster().pid !== database.pid && (await isReady()), { timeoutMs: LIMIT_MS });
});

it("SIGTERM ends it in order as well", async () => {
  const start = npmStart();
  await link(start);
  const database = postmaster();
  start.child.kill("SIGTERM");
  expect(await start.exited).toBe(0);
  expect(isAlive(database)).toBe(false);
});

it("npm run user gives a token whether the app runs or not, and refuses a name twice", async () => {
  const add = (...words) =>
    promisify(execFile)(process.execPath, [fileURLToPath(new URL("./user.mjs", import.meta.url)), "add", ...words], {
      env: { ...process.env, DORMOUSE_DATA_DIR: dataDir, DATABASE_URL: "" },
    });
  const start = npmStart();
  await link(start);
  expect((await add("ada")).stdout).toMatch(/^[A-Za-z0-9_-]{43}\n$/);
  start.child.kill("SIGTERM");
  await start.exited;
  expect((await add("grace")).stdout).toMatch(/^[A-Za-z0-9_-]{43}\n$/);
  await expect(add("ada")).rejects.toThrow(/There is a user named ada already/);
});
