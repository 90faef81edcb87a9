import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readHolder, takeLock } from "./lock.mjs";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dormouse-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Another process that takes the lock, says so, and holds it until it is killed. */
async function holderProcess(path) {
  const script = `import(${JSON.stringify(new URL("./lock.mjs", import.meta.url).href)}).then(async ({ takeLock }) => {
    const lock = await takeLock(${JSON.stringify(path)});
    lock.describe({ pid: process.pid });
    console.log("taken");
    setInterval(() => {}, 1000);
  })`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  return child;
}

it("a lock of another process is refused and names its holder; kill -9 frees it and what it said stays", async () => {
  const path = join(folder, "lock");
  const child = await holderProcess(path);
  expect(await takeLock(path)).toBeNull();
  expect(readHolder(path)).toEqual({ pid: child.pid });

  const waiting = takeLock(path, { wait: true });
  child.kill("SIGKILL");
  const lock = await waiting;
  expect(lock).not.toBeNull();
  expect(readHolder(path)).toEqual({ pid: child.pid });
  expect(await takeLock(path)).toBeNull();
  lock?.release();
  expect(readHolder(path)).toBeNull();
  (await takeLock(path))?.release();
});
