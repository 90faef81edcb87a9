import { chown, mkdir, readdir, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { SandboxError } from "@/lib/sandbox/errors";
import { syncPath } from "./durable-file";
import type { Host } from "./host";
import { createImage } from "./image";
import type { SandboxPaths } from "./layout";
import type { StateRecord } from "./records";
import { runTool } from "./tools";

const COPY_TIMEOUT_MS = 10 * 60_000;
const DETACH_PATIENCE_MS = 15_000;

/** Makes the empty disk of a new sandbox. */
export async function createDisk(host: Host, paths: SandboxPaths, diskBytes: number): Promise<StateRecord["disk"]> {
  if (host.hasImages) {
    await createImage(paths.image, diskBytes, host.runAs.uid);
    return "image";
  }
  for (const folder of [paths.files, path.join(paths.files, "workspace"), path.join(paths.files, "home")]) {
    await mkdir(folder);
    if (host.isRoot) await chown(folder, host.runAs.uid, host.runAs.gid);
  }
  return "folder";
}

/**
 * Copies the disk of a stopped sandbox. A whole copy (shared blocks where the file system can) instead of overlay layers:
 * the two share no life afterwards, each keeps its own hard limit, and renaming folders works everywhere.
 */
export async function copyDisk(host: Host, from: SandboxPaths, to: SandboxPaths, disk: StateRecord["disk"]) {
  if (disk === "image") {
    await runTool(["cp", "--sparse=always", "--reflink=auto", from.image, to.image], COPY_TIMEOUT_MS);
    await syncPath(to.image);
  } else {
    await privileged(host, ["cp", "-a", "--reflink=auto", from.files, to.files]);
    await syncFileSystem(to.root);
  }
}

/** Removes a folder of ours, whatever modes the sandbox gave to what is in it. Never follows a link. */
export async function removeTree(host: Host, folder: string): Promise<void> {
  await privileged(host, ["rm", "-rf", "--one-file-system", folder]);
}

/** As an ordinary user, the files of a sandbox yield to the root of a user namespace of our own. */
async function privileged(host: Host, command: readonly string[]): Promise<void> {
  await runTool(host.isRoot ? command : ["unshare", "--user", "--map-root-user", "--", ...command], COPY_TIMEOUT_MS);
}

async function syncFileSystem(folder: string): Promise<void> {
  await runTool(["sync", "-f", folder], COPY_TIMEOUT_MS);
}

/** Everything written so far is on the disk of the host when this resolves. The sandbox must be stopped. */
export async function flushDisk(paths: SandboxPaths, disk: StateRecord["disk"]): Promise<void> {
  if (disk === "image") await syncPath(paths.image);
  else await syncFileSystem(paths.files);
}

/** Throws `snapshot_damaged` when the disk is not there or, after a crash of the host, cannot be repaired. */
export async function checkDisk(paths: SandboxPaths, disk: StateRecord["disk"], wasSealed: boolean): Promise<void> {
  const found = await stat(disk === "image" ? paths.image : paths.files).catch(() => null);
  if (!found || (disk === "image" && found.size === 0)) throw damaged("the files of the sandbox are missing");
  if (disk === "folder" || wasSealed) return;
  try {
    await runTool(["e2fsck", "-p", paths.image], COPY_TIMEOUT_MS);
  } catch (error) {
    // 1 means that everything was repaired.
    if ((error as { code?: unknown }).code !== 1) throw damaged("the disk cannot be repaired", error);
  }
}

export function damaged(what: string, cause?: unknown): SandboxError {
  return new SandboxError("permanent", `The snapshot is damaged: ${what}.`, { reason: "snapshot_damaged", cause });
}

/** What the disk takes up on the host. */
export async function diskUsage(host: Host, paths: SandboxPaths, disk: StateRecord["disk"]): Promise<number> {
  if (disk === "image") return (await stat(paths.image)).blocks * 512;
  const argv = ["du", "-s", "-B1", "-x", paths.files];
  const command = host.isRoot ? argv : ["unshare", "--user", "--map-root-user", "--", ...argv];
  // Files may vanish while it counts, which makes du fail although its sum is good.
  const text = await runTool(command).catch((error: { stdout?: string }) => error.stdout ?? "");
  return Number.parseInt(text, 10) || 0;
}

/**
 * The kernel lets go of an image a moment after the last process that saw its mount. Opening it again before that would
 * attach it twice.
 */
export async function waitForDetach(paths: SandboxPaths): Promise<void> {
  const deadline = Date.now() + DETACH_PATIENCE_MS;
  const image = await realpath(paths.image).catch(() => paths.image);
  while ((await attachedImages()).has(image)) {
    if (Date.now() > deadline) {
      throw new SandboxError("transient", "The disk of the sandbox is still in use.", { reason: "disk_busy" });
    }
    await delay(5);
  }
}

async function attachedImages(): Promise<Set<string>> {
  const images = new Set<string>();
  for (const device of (await readdir("/sys/block").catch(() => [])).filter((name) => name.startsWith("loop"))) {
    const file = await readFile(`/sys/block/${device}/loop/backing_file`, "utf8").catch(() => null);
    if (file) images.add(file.trim());
  }
  return images;
}
