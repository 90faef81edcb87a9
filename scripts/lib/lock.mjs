// One holder at a time, by the kernel's flock(2): a lock cannot outlive its process, however that ended.
import { spawn } from "node:child_process";
import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { SetupError } from "./progress.mjs";

/**
 * Node has no flock; the tool of util-linux locks the file description that we hand to it, and the lock stays with
 * ours after the tool has ended.
 * @param {number} fd
 * @param {boolean} wait
 * @returns {Promise<boolean>}
 */
function flock(fd, wait) {
  return new Promise((resolve, reject) => {
    const child = spawn("flock", wait ? ["3"] : ["--nonblock", "3"], { stdio: ["ignore", "ignore", "ignore", fd] });
    child.once("error", () =>
      reject(new SetupError("The program `flock` is missing. Install the package util-linux.")),
    );
    child.once("close", (code) => resolve(code === 0));
  });
}

/**
 * @typedef {object} Lock
 * @property {(holder: object) => void} describe replaces what others read about the holder
 * @property {() => void} release
 */

/**
 * Takes the lock of a file, or says who has it.
 * @param {string} path its content is JSON for others to read, written by `describe`
 * @param {{ wait?: boolean }} [options] with `wait` it returns only once the lock is ours
 * @returns {Promise<Lock | null>} null when another process holds it
 */
export async function takeLock(path, { wait = false } = {}) {
  mkdirSync(dirname(path), { recursive: true });
  // "a+" creates the file without cutting off what the present holder wrote.
  const fd = openSync(path, "a+", 0o600);
  if (!(await flock(fd, wait))) {
    closeSync(fd);
    return null;
  }
  return {
    describe(holder) {
      ftruncateSync(fd, 0);
      writeSync(fd, `${JSON.stringify(holder)}\n`);
    },
    release() {
      ftruncateSync(fd, 0);
      closeSync(fd);
    },
  };
}

/** @param {string} path @returns {any} what the holder said about itself, null when nothing readable is there */
export function readHolder(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}

/**
 * Runs `work` while holding the lock; says so when it has to wait for another process.
 * @template T
 * @param {string} path
 * @param {() => void} onWait
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, onWait, work) {
  let lock = await takeLock(path);
  if (!lock) {
    onWait();
    lock = await takeLock(path, { wait: true });
  }
  if (!lock) throw new SetupError(`Cannot lock ${path}. Is it on a file system without locks?`);
  try {
    return await work();
  } finally {
    lock.release();
  }
}
