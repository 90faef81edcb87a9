// Running a program of the host, without anything of our environment.
import { execFile } from "node:child_process";
import { accessSync, constants, readFileSync } from "node:fs";
import { join } from "node:path";

/** Where the local provider looks for programs too; a search path without sbin would hide some of them. */
export const TOOL_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * Runs a program to its end. Never rejects.
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{ timeoutMs?: number, uid?: number, gid?: number }} [options]
 * @returns {Promise<{ code: number | null, stdout: string, stderr: string }>} code null: not started, killed or timed out
 */
export function run(file, args, { timeoutMs = 20_000, ...ids } = {}) {
  return new Promise((resolve) => {
    const options = {
      env: { PATH: TOOL_PATH, LC_ALL: "C" },
      cwd: "/",
      timeout: timeoutMs,
      killSignal: "SIGKILL",
      ...ids,
    };
    try {
      execFile(file, args, options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
        resolve({ code, stdout: String(stdout), stderr: String(stderr) || (error === null ? "" : error.message) });
      });
    } catch (error) {
      resolve({ code: null, stdout: "", stderr: String(error) });
    }
  });
}

/** @param {string} program @returns {boolean} */
export function isInstalled(program) {
  return TOOL_PATH.split(":").some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The text of a small file of /proc or /sys, or null. @param {string} path */
export function readText(path) {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return null;
  }
}

export const isRoot = process.getuid?.() === 0;
