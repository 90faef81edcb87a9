import { randomBytes } from "node:crypto";
import { chmod, mkdir } from "node:fs/promises";
import path from "node:path";
import { DEFAULT_LIMITS } from "@/lib/sandbox/provider";
import type { LocalContext } from "./context";
import { createDisk, removeTree, waitForDetach } from "./disk";
import { writeEtc, writeGitConfig } from "./etc-files";
import { type Host, unfit } from "./host";
import { probeSandbox } from "./launch";
import { sandboxPaths } from "./layout";
import { bootMarker } from "./process-table";

/** What a command inside must find, one word per line. */
const CHECK = [
  "set -eu",
  "id -u",
  "awk '/^(CapEff|NoNewPrivs|Seccomp):/ { print $2 }' /proc/self/status",
  "awk 'NR > 2 { print $1 }' /proc/net/dev",
  "test ! -e /root && test ! -e /etc/shadow && echo hidden",
  "touch /workspace/probe && echo writable",
  "touch /usr/probe 2>/dev/null || echo read-only",
  "/opt/node/bin/node -e 'console.log(\"node\")'",
].join("\n");

/** Uid 1000, no capability, no new privileges, system calls filtered, no network but the loopback, and so on. */
const EXPECTED = "1000 0000000000000000 1 2 lo: hidden writable read-only node";

/** Runs the real launch chain once and looks around inside. Throws `permanent` with advice when it does not isolate. */
export async function proveIsolation(context: LocalContext): Promise<void> {
  const { host, layout } = context;
  const paths = sandboxPaths(path.join(layout.nursery, `check.${randomBytes(4).toString("hex")}`));
  const limits = { ...DEFAULT_LIMITS, diskBytes: 256 * 1024 * 1024 };
  try {
    await mkdir(paths.root, { mode: 0o700 });
    await mkdir(paths.inside);
    await chmod(paths.inside, 0o755);
    await writeEtc(paths);
    await writeGitConfig(paths, { allow: [], gitRemote: null }, context.gitIdentity);
    const disk = await createDisk(host, paths, limits.diskBytes);
    const marker = bootMarker(layout.tag, "check", "check");
    const options = { paths, disk, limits, env: {}, marker, join: [], readOnly: false, furnish: true };
    const found = (await probeSandbox(host, options, CHECK)).split(/\s+/).join(" ");
    if (found !== EXPECTED) throw new Error(`inside it looks like "${found}" instead of "${EXPECTED}"`);
  } catch (error) {
    throw unfit(`This host cannot isolate sandboxes: ${String(error)}. ${advice(host)}`, error);
  } finally {
    await waitForDetach(paths).catch(() => {});
    await removeTree(host, paths.root).catch(() => {});
  }
}

function advice(host: Host): string {
  const common = [
    "User namespaces must be allowed (sysctl user.max_user_namespaces > 0, kernel.unprivileged_userns_clone=1 on Debian 10,",
    "kernel.apparmor_restrict_unprivileged_userns=0 on Ubuntu 23.10 and later).",
    "In a container, /proc must not be masked and mounting must be allowed:",
    "docker run --security-opt systempaths=unconfined --security-opt seccomp=unconfined --security-opt apparmor=unconfined",
  ].join(" ");
  return host.isRoot ? `${common} --cap-add SYS_ADMIN.` : `${common}.`;
}
