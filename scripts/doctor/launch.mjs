// The real launch chain of the local provider (lib/sandbox/providers/local/launch.ts), tried once with `true` for an agent.
import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { isContainer, namespaceObstacles, UNMASK } from "./kernel.mjs";
import { fail, pass } from "./report.mjs";
import { isRoot, run } from "./shell.mjs";

/** What must be seen inside: user 1000, no capability, no network but an unused loopback, nothing of the host writable, no /root. */
const LOOK = [
  "id -u",
  "sed -n 's/^CapEff:[[:space:]]*//p; s/^NoNewPrivs:[[:space:]]*/nnp/p' /proc/self/status",
  "tail -n +3 /proc/net/dev | cut -d: -f1",
  "touch /usr/dormouse-doctor 2>/dev/null || echo read-only",
  "touch /workspace/file && echo writable",
  "test -e /root || echo hidden",
].join("; ");
const SEEN = "1000 0000000000000000 nnp1 lo read-only writable hidden";

/** A number that belongs to nobody on most hosts; the provider looks for a free one from there on too. */
const STRANGER = 61_001;

function bubblewrap() {
  const folders = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"].filter((folder) => existsSync(folder));
  return [
    ...["bwrap", "--unshare-user", "--uid", "1000", "--gid", "1000", "--unshare-pid", "--unshare-ipc", "--unshare-uts"],
    ...["--unshare-net", "--unshare-cgroup-try", "--hostname", "sandbox", "--new-session", "--clearenv"],
    ...["--ro-bind", "/usr", "/usr"],
    ...folders.flatMap((folder) =>
      lstatSync(folder).isSymbolicLink() ? ["--symlink", readlinkSync(folder), folder] : ["--ro-bind", folder, folder],
    ),
    ...["--tmpfs", "/workspace", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--remount-ro", "/"],
    ...["--setenv", "PATH", "/usr/bin:/bin", "--", "/bin/sh", "-c", LOOK],
  ];
}

/** The part that an ordinary user runs, and root after it has become nobody. */
const ORDINARY = [
  "unshare",
  "--user",
  "--map-root-user",
  "--",
  "prlimit",
  "--core=0",
  "--nofile=16384",
  "--",
  ...bubblewrap(),
];

/** Root first prepares mounts of its own, then gives its rights away for good. */
function rootChain() {
  const stage = ["/mnt", "/media", "/srv", "/run", "/tmp"].find((folder) => existsSync(folder)) ?? "/tmp";
  const script = `mount -t tmpfs -o mode=755,size=1m dormouse ${stage} && exec setpriv --reuid ${STRANGER} --regid ${STRANGER} --clear-groups --inh-caps=-all --bounding-set=-all --no-new-privs -- "$@"`;
  return ["unshare", "--mount", "--propagation", "private", "--", "/bin/sh", "-c", script, "sh", ...ORDINARY];
}

export async function checkLaunch() {
  const [program, ...args] = isRoot ? rootChain() : ORDINARY;
  const { code, stdout, stderr } = await run(program ?? "", args);
  const seen = stdout.split(/\s+/).filter(Boolean).join(" ");
  const who = isRoot ? "as root, who becomes nobody" : "as an ordinary user";
  if (code === 0 && seen === SEEN) return pass("launch", `a sandbox starts and is closed (${who})`);
  const said = stderr.trim().split("\n").at(-1)?.slice(0, 200) || `it looks like "${seen}" inside`;
  return fail("launch", `no sandbox can be started ${who}: ${said}`, remedy(stderr));
}

/** The most likely cause first. @param {string} stderr */
function remedy(stderr) {
  if (/bwrap.*(?:not found|No such file)|ENOENT/.test(stderr)) return "install the missing programs (see above)";
  const [obstacle] = namespaceObstacles();
  if (obstacle) return obstacle.fix;
  if (/mount proc/i.test(stderr) || isContainer()) return isRoot ? `${UNMASK} --cap-add SYS_ADMIN` : UNMASK;
  if (/No space left|ENOSPC/.test(stderr))
    return "raise user.max_user_namespaces and user.max_mnt_namespaces with sysctl -w";
  return "allow user namespaces and mounts to this user (seccomp, AppArmor, SELinux or the container engine forbids them)";
}
