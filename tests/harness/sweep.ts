import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { killMarked } from "@/lib/sandbox/providers/local/boot";
import { stateLayout } from "@/lib/sandbox/providers/local/layout";
import { endProcess, identify, stopPostgres } from "@/scripts/lib/harness.mjs";

/** Every process whose command line or environment names this folder, ourselves excluded. */
async function processesOf(folder: string): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const texts = await Promise.all(
      ["cmdline", "environ"].map((file) => readFile(`/proc/${pid}/${file}`, "latin1").catch(() => "")),
    );
    if (texts.some((text) => text.includes(folder))) found.push(pid);
  }
  return found;
}

/**
 * Ends what a killed server left running on a data directory of a test (sandboxes wait for a next start that will not
 * come, nor does its own Postgres) and lets go of its mounts.
 */
export async function sweep(dataDir: string): Promise<void> {
  for (const pid of await processesOf(dataDir)) {
    const identity = identify(pid);
    if (identity) await endProcess(identity, [{ signal: "SIGTERM", waitMs: 500 }]);
  }
  // As root their command lines do not name the folder either.
  const hostId = await readFile(path.join(dataDir, "host-id"), "utf8").catch(() => "");
  if (hostId) await killMarked(stateLayout(path.join(dataDir, "sandboxes"), hostId.trim()).tag, () => true);
  // Its command line does not name the folder when root started it (postgres-launch.mjs).
  await stopPostgres(dataDir);
  const mounts = (await readFile("/proc/self/mountinfo", "utf8"))
    .split("\n")
    .map((line) => line.split(" ")[4] ?? "")
    .filter((target) => target.startsWith(`${dataDir}/`));
  for (const target of mounts.reverse()) await promisify(execFile)("umount", ["-l", target]).catch(() => {});
}
