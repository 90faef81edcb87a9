// What the kernel must allow. These checks name causes; whether it works is decided by the launch (launch.mjs).
import os from "node:os";
import { fail, pass, warn } from "./report.mjs";
import { isRoot, readText } from "./shell.mjs";

const sudo = isRoot ? "" : "sudo ";

export function checkPlatform() {
  if (process.platform !== "linux")
    return fail(
      "platform",
      `${process.platform} cannot isolate sandboxes`,
      "run Dormouse on Linux, for example in a virtual machine",
    );
  if (process.arch !== "x64" && process.arch !== "arm64")
    return fail(
      "platform",
      `processors of kind ${process.arch} are not supported`,
      "use a machine with an x64 or arm64 processor",
    );
  return pass("platform", `linux ${process.arch}`);
}

export function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 20)
    return fail("node", `Node ${process.versions.node} is too old`, "install Node 20 or newer from https://nodejs.org");
  return pass(
    "node",
    `version ${major}.${minor}${major < 24 ? " (npm start fetches Node 24 for the app by itself)" : ""}`,
  );
}

export function checkKernel() {
  const [major, minor] = os.release().split(".").map(Number);
  if (major < 4 || (major === 4 && minor < 18))
    return warn("kernel", `Linux ${os.release()} is older than anything this was tried on`, "use Linux 5.10 or newer");
  if (readText("/proc/self/status")?.includes("\nSeccomp:") !== true)
    return fail(
      "kernel",
      "this kernel was built without seccomp, so that system calls cannot be filtered",
      "boot a kernel with CONFIG_SECCOMP_FILTER, as every distribution ships it",
    );
  return pass("kernel", `Linux ${os.release()}`);
}

/**
 * Settings that forbid user namespaces, each with the line that allows them.
 * @returns {{ cause: string, fix: string }[]}
 */
export function namespaceObstacles() {
  const found = [];
  // Now, and after the next boot.
  const keep = (setting) =>
    `${sudo}sysctl -w ${setting} && echo ${setting} | ${sudo}tee /etc/sysctl.d/60-dormouse.conf`;
  if (readText("/proc/sys/user/max_user_namespaces") === "0")
    found.push({ cause: "user.max_user_namespaces is 0", fix: keep("user.max_user_namespaces=15000") });
  if (readText("/proc/sys/kernel/unprivileged_userns_clone") === "0")
    found.push({ cause: "kernel.unprivileged_userns_clone is 0", fix: keep("kernel.unprivileged_userns_clone=1") });
  if (readText("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") === "1")
    found.push({
      cause: "kernel.apparmor_restrict_unprivileged_userns is 1, the default of Ubuntu 23.10 and later",
      fix: keep("kernel.apparmor_restrict_unprivileged_userns=0"),
    });
  return found;
}

/** Paths under /proc that something is mounted on, as container engines do to hide them. @returns {string[]} */
export function maskedProc() {
  const lines = readText("/proc/self/mountinfo")?.split("\n") ?? [];
  const points = lines.map((line) => line.split(" ")[4] ?? "");
  return points.filter(
    (point) =>
      point.startsWith("/proc/") && point !== "/proc/sys/fs/binfmt_misc" && !point.startsWith("/proc/sys/fs/nfsd"),
  );
}

/** Whether this is a container, for the words of a remedy. */
export function isContainer() {
  return readText("/.dockerenv") !== null || readText("/run/.containerenv") !== null || maskedProc().length > 0;
}

export function checkNamespaces() {
  const [first] = namespaceObstacles();
  // A profile of AppArmor may allow it all the same: a warning, and the launch tells.
  if (first) return warn("user namespaces", first.cause, first.fix);
  return pass("user namespaces", `up to ${readText("/proc/sys/user/max_user_namespaces") ?? "unlimited"}`);
}

export const UNMASK =
  "start the container with --security-opt systempaths=unconfined --security-opt seccomp=unconfined --security-opt apparmor=unconfined";

export function checkProc() {
  const masked = maskedProc();
  if (masked.length > 0)
    return warn(
      "proc",
      `/proc is masked by a container engine (${masked[0]}${masked.length > 1 ? ` and ${masked.length - 1} more` : ""})`,
      UNMASK,
    );
  return pass("proc", "not masked");
}
