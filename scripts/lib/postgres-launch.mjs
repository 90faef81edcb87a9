// Under which user, and with which view of the file system, the Postgres programs run.
import { chownSync, existsSync, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isRoot } from "./data-dir.mjs";
import { endsWithUs, run } from "./processes.mjs";
import { SetupError } from "./progress.mjs";

/** "nobody" of every Linux: Postgres refuses to run as root. */
const UNPRIVILEGED_ID = 65534;

/** Folders that exist everywhere, that others may pass through, and that Postgres itself does not need. */
const MOUNT_POINTS = ["/srv", "/media", "/mnt", "/opt", "/run"];

/**
 * The programs and the cluster may lie below folders that only root may enter (mode 700). No folder is opened to
 * others for that: in a mount namespace of its own, root binds both below a reachable place and drops its rights
 * afterwards (design.md, section 7). Where even the files of the programs are closed to others (umask 077), they are copied
 * into that namespace's memory. Mounts of sandboxes below the data directory are let go, so that Postgres does not
 * keep them busy.
 */
const ENTER = `
set -e
place=$1 native=$2 cluster=$3 data_dir=$4 id=$5 group=$6 at_our_death=$7
shift 7
mount -t tmpfs -o mode=755,size=256m dormouse "$place"
mkdir "$place/postgres" "$place/cluster"
mount --bind "$native" "$place/postgres"
mount --bind "$cluster" "$place/cluster"
drop="setpriv --reuid=$id --regid=$group --clear-groups --no-new-privs"
if [ -n "$($drop -- find "$place/postgres" ! -readable -print -quit 2>&1)" ]; then
  umount "$place/postgres"
  cp -a "$native/." "$place/postgres/"
  chmod -R a+rX "$place/postgres"
fi
while read -r _ _ _ _ target _; do
  target=$(printf '%b' "$target")
  case "$target" in "$data_dir"/*) umount -l "$target" 2>/dev/null || true ;; esac
done </proc/self/mountinfo
cd /
exec $drop $at_our_death -- "$@"
`;

/**
 * How to run a program of Postgres on one cluster.
 * @typedef {object} Launcher
 * @property {(program: "initdb" | "postgres", args: (paths: { cluster: string }) => string[]) => {
 *   command: string, args: string[], options: import("node:child_process").SpawnOptions }} command
 * @property {{ uid: number, gid: number } | null} owner who must own the files of the cluster; null: whoever runs this
 */

/** @returns {NodeJS.ProcessEnv} nothing of ours: no token and no key has any business in the database */
const postgresEnv = () => ({ PATH: process.env.PATH ?? "/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL: "C", TZ: "UTC" });

/** Root cannot give files away one by one later, so a cluster that changed hands is taken over as a whole. */
function giveTo(path, owner) {
  const entry = lstatSync(path);
  if (entry.isSymbolicLink()) return;
  if (entry.uid !== owner.uid || entry.gid !== owner.gid) chownSync(path, owner.uid, owner.gid);
  if (entry.isDirectory()) for (const name of readdirSync(path)) giveTo(join(path, name), owner);
}

/**
 * @param {{ nativeDir: string, clusterDir: string, dataDir: string, outlivesUs: boolean }} options `clusterDir` exists;
 *   with `outlivesUs: false` the server ends when this process is killed
 * @returns {Promise<Launcher>}
 */
export async function createLauncher({ nativeDir, clusterDir, dataDir, outlivesUs }) {
  /** @type {(owner: Launcher["owner"]) => Launcher} */
  const direct = (owner) => ({
    owner,
    command(program, args) {
      const plain = /** @type {[string, string[]]} */ ([
        join(nativeDir, "bin", program),
        args({ cluster: clusterDir }),
      ]);
      const [command, all] = outlivesUs ? plain : endsWithUs("SIGINT", ...plain);
      return { command, args: all, options: { ...owner, cwd: "/", env: postgresEnv() } };
    },
  });
  if (!isRoot) return direct(null);
  // A cluster that an ordinary user made before stays that user's.
  const { uid, gid } = statSync(clusterDir);
  const owner = uid === 0 ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : { uid, gid };
  giveTo(clusterDir, owner);

  const place = MOUNT_POINTS.find(
    (folder) =>
      existsSync(folder) && ![nativeDir, clusterDir, dataDir].some((path) => `${path}/`.startsWith(`${folder}/`)),
  );
  const probe = await run("unshare", ["--mount", "true"]);
  if (place && probe.code === 0) {
    const atOurDeath = outlivesUs ? "" : "--pdeathsig=INT";
    const fixed = [place, nativeDir, clusterDir, dataDir, String(owner.uid), String(owner.gid), atOurDeath];
    return {
      owner,
      command: (program, args) => ({
        command: "unshare",
        args: [
          ...["--mount", "--propagation", "private", "sh", "-c", ENTER, "dormouse", ...fixed],
          ...[`${place}/postgres/bin/${program}`, ...args({ cluster: `${place}/cluster` })],
        ],
        options: { cwd: "/", env: postgresEnv() },
      }),
    };
  }
  // A root without the right to mount (some containers): works where the folders are open to others anyway.
  const programs = await run(join(nativeDir, "bin", "postgres"), ["--version"], {
    ...owner,
    cwd: "/",
    env: postgresEnv(),
  });
  const reach = await run("test", ["-x", clusterDir], { ...owner, cwd: "/" });
  if (programs.code === 0 && reach.code === 0) return direct(owner);
  throw new SetupError(
    "Postgres must not run as root, and this root may neither mount (unshare --mount failed) nor are the folders open to " +
      `another user.\nRun Dormouse as an ordinary user, or set DATABASE_URL to a Postgres of your own.\n${probe.stderr.trim()}`,
  );
}
