import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isRoot } from "./data-dir.mjs";
import { startPostgres } from "./postgres.mjs";
import { withClient } from "./postgres-client.mjs";
import { isAlive, waitForExit } from "./processes.mjs";

let dataDir = "";
let running = [];
const start = async (options = {}) => {
  const postgres = await startPostgres({ dataDir, durable: false, ...options });
  running.push(postgres);
  return postgres;
};
const query = (postgres, sql) => withClient(postgres.url, async (client) => (await client.query(sql)).rows);

beforeEach(() => {
  // mkdtemp makes it mode 700, like a data directory below /root: nobody else may enter.
  dataDir = mkdtempSync(join(tmpdir(), "dormouse-postgres-"));
});
afterEach(async () => {
  for (const postgres of running) await postgres.stop();
  running = [];
  rmSync(dataDir, { recursive: true, force: true });
});

it("a database in a folder closed to others comes up, keeps its data and its port, and is gone after stop", async () => {
  const first = await start();
  expect(first.adopted).toBe(false);
  await query(first, "create table kept (n int)");
  await query(first, "insert into kept values (7)");
  await first.stop();
  expect(isAlive(first.identity)).toBe(false);

  const second = await start();
  expect(await query(second, "select n from kept")).toEqual([{ n: 7 }]);
  expect(second.url).toBe(first.url);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  expect(statSync(join(dataDir, "postgres", "password")).mode & 0o777).toBe(0o600);
});

it("a database left running by an earlier start is adopted, not started twice", async () => {
  const first = await start();
  const second = await start();
  expect(second.adopted).toBe(true);
  expect(second.identity).toEqual(first.identity);
});

it("after kill -9 every acknowledged write is there", async () => {
  const first = await start({ durable: true });
  await query(first, "create table kept (n int)");
  for (let n = 0; n < 20; n++) await query(first, `insert into kept values (${n})`);
  process.kill(first.identity.pid, "SIGKILL");
  expect(await waitForExit(first.identity, 5_000)).toBe(true);
  const second = await start({ durable: true });
  expect(second.adopted).toBe(false);
  expect(await query(second, "select count(*)::int as n from kept")).toEqual([{ n: 20 }]);
});

it("a pid file that names a process of somebody else does not stop the start", async () => {
  const first = await start();
  await first.stop();
  const pidFile = join(dataDir, "postgres", "cluster", "data", "postmaster.pid");
  writeFileSync(pidFile, `${process.pid}\n/somewhere\n0\n1\n\n127.0.0.1\n0\nready\n`);
  const second = await start();
  expect(second.adopted).toBe(false);
});

it("a port taken by another program is given up for a free one", async () => {
  const first = await start();
  await first.stop();
  const port = Number(new URL(first.url).port);
  const other = createServer();
  await new Promise((resolve) => other.listen(port, "127.0.0.1", () => resolve(undefined)));
  try {
    const second = await start();
    expect(new URL(second.url).port).not.toBe(String(port));
    await query(second, "select 1");
  } finally {
    other.close();
  }
});

it("a set-up that was cut off halfway is made anew", async () => {
  mkdirSync(join(dataDir, "postgres", "cluster", "data.new", "base"), { recursive: true });
  const postgres = await start();
  await query(postgres, "select 1");
  expect(existsSync(join(dataDir, "postgres", "cluster", "data.new"))).toBe(false);
});

it.runIf(isRoot)("the server of root has no rights and sees none of our secrets", async () => {
  process.env.DORMOUSE_TOKEN = "a-secret-of-this-test";
  const postgres = await start();
  delete process.env.DORMOUSE_TOKEN;
  const status = readFileSync(`/proc/${postgres.identity.pid}/status`, "utf8");
  expect(status).toMatch(/^Uid:\t65534\t65534\t65534\t65534$/m);
  expect(status).toMatch(/^CapEff:\t0+$/m);
  expect(status).toMatch(/^NoNewPrivs:\t1$/m);
  expect(readFileSync(`/proc/${postgres.identity.pid}/environ`, "latin1")).not.toContain("a-secret-of-this-test");
});

it.runIf(isRoot)("mounts of sandboxes below the data directory are not kept busy by the database", async () => {
  const run = promisify(execFile);
  const mount = join(dataDir, "a sandbox");
  mkdirSync(mount);
  await run("mount", ["-t", "tmpfs", "dormouse-test", mount]);
  try {
    const postgres = await start();
    expect(readFileSync(`/proc/${postgres.identity.pid}/mountinfo`, "utf8")).not.toContain("a\\040sandbox");
  } finally {
    await run("umount", [mount]);
  }
});

it("a database for tests ends with the process that started it", async () => {
  const script = `import(${JSON.stringify(new URL("./postgres.mjs", import.meta.url).href)}).then(async ({ startPostgres }) => {
    const { identity } = await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, durable: false });
    console.log(JSON.stringify(identity));
    process.kill(process.pid, "SIGKILL");
  })`;
  const failure = await promisify(execFile)(process.execPath, ["-e", script]).catch((error) => error);
  const identity = JSON.parse(failure.stdout);
  expect(await waitForExit(identity, 10_000)).toBe(true);
});
