// The Node that runs Dormouse. The host's own may be older: then a pinned one is fetched with npm and everything runs on it.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "./lock.mjs";
import { runNpm } from "./npm.mjs";
import { run } from "./processes.mjs";
import { SetupError } from "./progress.mjs";

/** The platform packages of npm's `node`, without its install scripts. Raise it here. */
const NODE_VERSION = "24.18.1";

/** @param {string} version such as "22.12.0" @returns {boolean} whether the packages that we use support it */
export function isSupported(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 12);
}

/** @param {string} root @returns {Promise<string>} the fetched Node, fetched now if it is not there yet */
async function fetchNode(root, progress) {
  const name = `node-linux-${process.arch}`;
  const place = join(root, ".dormouse", "node", NODE_VERSION);
  const node = join(place, "node_modules", name, "bin", "node");
  const logFile = join(root, ".dormouse", "node-install.log");
  const works = async (file) =>
    existsSync(file) && (await run(file, ["--version"])).stdout.trim() === `v${NODE_VERSION}`;
  if (await works(node)) return node;
  return withLock(
    join(root, ".dormouse", "setup.lock"),
    () => progress.say("node", "waiting for another start in this folder …"),
    async () => {
      if (await works(node)) return node;
      const fresh = `${place}.new`;
      for (const folder of [fresh, place]) rmSync(folder, { recursive: true, force: true });
      mkdirSync(fresh, { recursive: true });
      const flags = [
        "--prefix",
        fresh,
        "--ignore-scripts",
        "--no-save",
        "--no-package-lock",
        "--no-audit",
        "--no-fund",
      ];
      await progress.run(
        "node",
        `this is Node ${process.versions.node}, fetching Node ${NODE_VERSION} (about 40 MB)`,
        () =>
          runNpm(["install", ...flags, `${name}@${NODE_VERSION}`], {
            cwd: fresh,
            logFile,
            say: (text) => progress.say("node", text),
          }),
      );
      renameSync(fresh, place);
      if (await works(node)) return node;
      throw new SetupError(
        `Node ${NODE_VERSION} does not run on this machine (${process.arch}). Install Node 22.12 or newer and start again.`,
      );
    },
  );
}

/**
 * Makes sure that a supported Node runs this script; if it must be another one, runs the script again with it.
 * @param {{ root: string, script: string, progress: import("./progress.mjs").Progress }} options
 * @returns {Promise<boolean>} false when the script has been run by the other Node: the caller has nothing left to do
 */
export async function continueOnSupportedNode({ root, script, progress }) {
  if (process.platform !== "linux")
    throw new SetupError("Dormouse runs on Linux. On another system, run it in a Linux machine.");
  const major = Number(process.versions.node.split(".")[0]);
  if (major < 20) throw new SetupError(`Node 20 or newer is needed, this is ${process.versions.node}.`);
  if (isSupported(process.versions.node)) return true;
  const node = await fetchNode(root, progress);

  // The channel tells the other process when this one was killed: it then ends like after SIGTERM.
  const child = spawn(node, [script, ...process.argv.slice(2)], { stdio: ["inherit", "inherit", "inherit", "ipc"] });
  const onlyWait = () => {};
  // Ctrl-C reaches the whole group, the other process included.
  process.on("SIGINT", onlyWait);
  for (const signal of /** @type {const} */ (["SIGTERM", "SIGHUP"])) process.on(signal, () => child.kill(signal));
  process.exitCode = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? (signal ? 1 : 0)));
  });
  return false;
}
