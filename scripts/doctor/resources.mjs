// Memory, disk, and the kernel's means to limit what a sandbox uses.
import { accessSync, constants, existsSync, mkdirSync, rmdirSync, statfsSync, writeFileSync } from "node:fs";
import os from "node:os";
import { dirname, join } from "node:path";
import { fail, pass, warn } from "./report.mjs";
import { isInstalled, isRoot, readText, run } from "./shell.mjs";

const GIB = 1024 ** 3;
const inGib = (bytes) => `${(bytes / GIB).toFixed(1)} GB`;

export function checkMemory() {
  // In a container the machine's memory is not what may be used.
  const limits = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"].map((path) =>
    Number(readText(path)),
  );
  const total = Math.min(os.totalmem(), ...limits.filter((bytes) => bytes > 0));
  if (total < 1.5 * GIB)
    return warn(
      "memory",
      `${inGib(total)} in all`,
      "give the machine 2 GB or more: one sandbox may use 1 GB, the app and its database about as much",
    );
  return pass("memory", `${inGib(total)} in all`);
}

/** @param {string} folder @returns {string} the folder itself, or the first one above it that exists */
function nearest(folder) {
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/** @param {string} dataDir */
export function checkDataDir(dataDir) {
  const folder = nearest(dataDir);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch {
    return fail(
      "data folder",
      `${dataDir} cannot be written by this user`,
      "choose another place with DORMOUSE_DATA_DIR=/some/folder",
    );
  }
  const { bavail, bsize, files, ffree } = statfsSync(folder);
  const free = bavail * bsize;
  const elsewhere = "free some space, or choose another place with DORMOUSE_DATA_DIR=/some/folder";
  if (free < GIB) return fail("data folder", `only ${inGib(free)} free at ${dataDir}`, elsewhere);
  if (files > 0 && ffree < 50_000)
    return fail("data folder", `only ${ffree} files more can be made at ${dataDir}`, elsewhere);
  if (free < 5 * GIB)
    return warn("data folder", `${inGib(free)} free at ${dataDir}; each sandbox may use 4 GB`, elsewhere);
  return pass("data folder", `${inGib(free)} free at ${dataDir}`);
}

/** Tries to make a group with a limit; a container often shows a tree in which nothing may be made. */
function tryGroup(tree, file, value) {
  const group = join(tree, `dormouse-doctor-${process.pid}`);
  try {
    mkdirSync(group);
    writeFileSync(join(group, file), value);
    return true;
  } catch {
    return false;
  } finally {
    try {
      rmdirSync(group);
    } catch {
      // Never made.
    }
  }
}

export function checkCgroups() {
  const soft = "memory and processes of sandboxes are limited by a watchdog and rlimits";
  if (!isRoot) return pass("cgroups", `not used by an ordinary user: ${soft}`);
  const root = "/sys/fs/cgroup";
  const v2 = readText(`${root}/cgroup.controllers`);
  if (v2 !== null) {
    if (["memory", "pids", "cpu"].every((name) => v2.split(" ").includes(name)) && tryGroup(root, "cgroup.freeze", "0"))
      return pass("cgroups", "version 2");
    return warn(
      "cgroups",
      `version 2, but no group with limits can be made: ${soft}`,
      "start the container with --cgroupns=host and a writable /sys/fs/cgroup, or run on the host itself",
    );
  }
  if (tryGroup(`${root}/memory`, "memory.limit_in_bytes", "268435456") && tryGroup(`${root}/pids`, "pids.max", "64"))
    return pass("cgroups", "version 1");
  return warn(
    "cgroups",
    `none that can be used: ${soft}`,
    "mount cgroup2 at /sys/fs/cgroup, or start the container with it writable",
  );
}

export async function checkLoopDevices() {
  const soft = "the disk limit of sandboxes is watched, not enforced";
  if (!isRoot) return pass("loop devices", `not used by an ordinary user: ${soft}`);
  if (!isInstalled("losetup")) return warn("loop devices", `losetup is missing: ${soft}`, "apt-get install -y mount");
  const { code, stderr } = await run("losetup", ["--find"]);
  if (code === 0) return pass("loop devices", "one is free: the disk limit of sandboxes is enforced by the kernel");
  return warn(
    "loop devices",
    `none (${stderr.trim().split("\n")[0]}): ${soft}`,
    "modprobe loop, or start the container with --device /dev/loop-control and loop devices",
  );
}
