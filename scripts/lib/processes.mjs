// Processes of this host: who lives, who is who after a pid was given away again, and how to run and end them.
import { spawn } from "node:child_process";
import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/**
 * A process told apart from a later one with the same pid.
 * @typedef {{ pid: number, startTime: string }} ProcessIdentity `startTime` is field 22 of `/proc/<pid>/stat` (clock
 *   ticks since boot) behind the id of the boot
 */

/** @returns {string} an id that changes with every boot of the machine */
function bootId() {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "unknown-boot";
  }
}

/**
 * @param {number} pid
 * @returns {ProcessIdentity | null} null when no such process lives; a zombie counts as gone
 */
export function identify(pid) {
  let stat;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return null;
  }
  // The second field is the name in parentheses and may hold spaces, so count from behind it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields[0] === "Z" || fields[0] === "X") return null;
  return { pid, startTime: `${bootId()}/${fields[19]}` };
}

/** @param {ProcessIdentity | null | undefined} identity @returns {boolean} whether exactly this process still lives */
export function isAlive(identity) {
  return Boolean(identity) && identify(identity.pid)?.startTime === identity.startTime;
}

/**
 * @param {ProcessIdentity} identity
 * @param {number} timeoutMs
 * @returns {Promise<boolean>} true once it is gone, false when it outlives the time
 */
export async function waitForExit(identity, timeoutMs) {
  const deadline = Date.now() + timeoutMs;
  while (isAlive(identity)) {
    if (Date.now() > deadline) return false;
    await delay(50);
  }
  return true;
}

/** @param {ProcessIdentity} identity @param {NodeJS.Signals} signal */
export function signalProcess(identity, signal) {
  if (!isAlive(identity)) return;
  try {
    process.kill(identity.pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

/**
 * Sends each signal in turn and waits; ends with SIGKILL.
 * @param {ProcessIdentity} identity
 * @param {{ signal: NodeJS.Signals, waitMs: number }[]} steps
 */
export async function endProcess(identity, steps) {
  for (const { signal, waitMs } of [...steps, { signal: /** @type {const} */ ("SIGKILL"), waitMs: 5_000 }]) {
    signalProcess(identity, signal);
    if (await waitForExit(identity, waitMs)) return;
  }
}

/** @param {string} path @param {number} [maxBytes] @returns {string} the end of a file, "" if there is none */
export function tailOf(path, maxBytes = 6_000) {
  let fd;
  try {
    fd = openSync(path, "r");
  } catch {
    return "";
  }
  try {
    const { size } = fstatSync(fd);
    const length = Math.min(size, maxBytes);
    const buffer = Buffer.alloc(length);
    readSync(fd, buffer, 0, length, size - length);
    return buffer.toString("utf8");
  } finally {
    closeSync(fd);
  }
}

/** Programs that `run` waits for right now. */
const running = new Set();

/** Ends the programs that `run` waits for, when the person wants to stop during the set-up. */
export function endRunning() {
  for (const child of running) child.kill("SIGTERM");
}

/**
 * Makes a program die with us, also when we are killed: the kernel sends it the signal.
 * @param {NodeJS.Signals} signal
 * @param {string} command
 * @param {string[]} args
 * @returns {[string, string[]]}
 */
export function endsWithUs(signal, command, args) {
  return ["setpriv", ["--pdeathsig", signal.replace("SIG", ""), "--", command, ...args]];
}

/**
 * Runs a program to its end and collects what it says. It does not outlive us.
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions & { input?: string, logFile?: string }} [options] with `logFile`
 *   both outputs are appended there instead of being returned
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>} code 127 when the program does not exist
 */
export function run(command, args, { input, logFile, ...options } = {}) {
  const log = logFile ? openSync(logFile, "a", 0o600) : "pipe";
  return new Promise((resolve) => {
    const child = spawn(...endsWithUs("SIGKILL", command, args), {
      ...options,
      stdio: [input === undefined ? "ignore" : "pipe", log, log],
    });
    running.add(child);
    if (typeof log === "number") closeSync(log);
    let stdout = "";
    let stderr = "";
    child.stdout?.setEncoding("utf8").on("data", (text) => {
      stdout += text;
    });
    child.stderr?.setEncoding("utf8").on("data", (text) => {
      stderr += text;
    });
    child.once("error", (error) => {
      running.delete(child);
      resolve({ code: 127, stdout, stderr: stderr || String(error.message) });
    });
    child.once("close", (code, signal) => {
      running.delete(child);
      resolve({ code: code ?? (signal ? 128 : 1), stdout, stderr });
    });
    if (input !== undefined) {
      // A program that ends without reading its input is judged by its exit code.
      child.stdin?.on("error", () => {});
      child.stdin?.end(input);
    }
  });
}
