// Programs that the local sandboxes and the git gateway run.

import { fail, pass } from "./report.mjs";
import { isInstalled, isRoot, run } from "./shell.mjs";

/** Program → Debian package. */
const NEEDED = {
  bwrap: "bubblewrap",
  git: "git",
  unshare: "util-linux",
  prlimit: "util-linux",
  bash: "bash",
  find: "findutils",
  // Root prepares sandboxes with these before it gives its rights away.
  ...(isRoot ? { setpriv: "util-linux", mount: "mount", "mkfs.ext4": "e2fsprogs" } : {}),
};

const missingPrograms = () => Object.keys(NEEDED).filter((program) => !isInstalled(program));

/** The Debian packages that hold what is missing, each once. @returns {Promise<string[]>} */
export async function missingPackages() {
  return [...new Set(missingPrograms().map((program) => NEEDED[program]))].sort();
}

/** The line that installs packages on this host. @param {readonly string[]} packages */
export function installLine(packages) {
  const line = `apt-get update && apt-get install -y ${packages.join(" ")}`;
  if (isInstalled("apt-get")) return isRoot ? line : `sudo sh -c '${line}'`;
  return `install ${packages.join(", ")} with the package manager of this system (Debian's names)`;
}

export async function checkPrograms() {
  const missing = missingPrograms();
  if (missing.length > 0)
    return fail("programs", `missing: ${missing.join(", ")}`, installLine(await missingPackages()));
  const bwrap = (await run("bwrap", ["--version"])).stdout.trim().replace(/^bubblewrap /, "");
  return pass("programs", `${Object.keys(NEEDED).length} programs found, bubblewrap ${bwrap}`);
}

/** Configuration through the environment, by which the gateway keeps git away from ours, came with 2.31. */
const LEAST_GIT = [2, 31];

export async function checkGit() {
  const found = (await run("git", ["--version"])).stdout;
  const [, major, minor] = (/(\d+)\.(\d+)/.exec(found) ?? []).map(Number);
  if (major === undefined) return fail("git", "git does not run", installLine(["git"]));
  const oldest = LEAST_GIT.join(".");
  if (major < LEAST_GIT[0] || (major === LEAST_GIT[0] && minor < LEAST_GIT[1]))
    return fail("git", `git ${major}.${minor} is too old`, `install git ${oldest} or newer`);
  if ((await run("git", ["http-backend"])).stderr.includes("is not a git command"))
    return fail(
      "git",
      "git http-backend is missing: folders of this host could not be used as repositories",
      installLine(["git"]),
    );
  return pass("git", found.trim().replace(/^git version /, "version "));
}
