import { readdir, readFile } from "node:fs/promises";
import { isErrno } from "./durable-file";

/** A process that cannot be mistaken for a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time in clock ticks since boot, field 22 of /proc/<pid>/stat. */
  readonly start: string;
}

/**
 * The start time of a living process, or null. A zombie counts as dead: everything it did is over, and a slow
 * init of the host may leave it in the table for seconds.
 */
export async function startTimeOf(pid: number): Promise<string | null> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const state = fields[0];
    return state === "Z" || state === "X" ? null : (fields[19] ?? null);
  } catch (error) {
    if (isErrno(error, "ENOENT", "ESRCH")) return null;
    throw error;
  }
}

export async function isAlive(process: ProcessIdentity): Promise<boolean> {
  return (await startTimeOf(process.pid)) === process.start;
}

/** Kills exactly this process; one that is gone, or whose number is another's now, is left alone. */
export async function killProcess(target: ProcessIdentity): Promise<void> {
  if (!(await isAlive(target))) return;
  try {
    process.kill(target.pid, "SIGKILL");
  } catch (error) {
    if (!isErrno(error, "ESRCH")) throw error;
  }
}

export async function listPids(): Promise<number[]> {
  return (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
}

/** The argument by which the host knows the processes that make up a boot: `dormouse:<tag>:<sandbox id>:<boot id>`. */
export function bootMarker(tag: string, id: string, bootId: string): string {
  return `dormouse:${tag}:${id}:${bootId}`;
}

export interface MarkedProcess extends ProcessIdentity {
  readonly id: string;
  readonly bootId: string;
}

/**
 * The processes with our marker that count: the launcher outside, and process 1 of a sandbox's namespace. A program
 * inside can write the same words into its own arguments, but it is neither of the two and so is never a target.
 */
export async function findMarked(tag: string): Promise<MarkedProcess[]> {
  const prefix = `dormouse:${tag}:`;
  const found: MarkedProcess[] = [];
  for (const pid of await listPids()) {
    try {
      const args = (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0");
      const marker = args.find((arg) => arg.startsWith(prefix));
      if (!marker) continue;
      const status = await readFile(`/proc/${pid}/status`, "utf8");
      const numbers = /^NSpid:\s+(.+)$/m.exec(status)?.[1]?.split(/\s+/) ?? [];
      const outside = numbers.length === 1;
      if (!outside && numbers.at(-1) !== "1") continue;
      const start = await startTimeOf(pid);
      const [id, bootId] = marker.slice(prefix.length).split(":");
      if (start !== null && id && bootId) found.push({ pid, start, id, bootId });
    } catch (error) {
      if (!isErrno(error, "ENOENT", "ESRCH", "EACCES")) throw error;
    }
  }
  return found;
}
