// What the host must bring: the checks of scripts/doctor.mjs, and the Debian packages that root may install.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { isRoot } from "./data-dir.mjs";
import { run, tailOf } from "./processes.mjs";
import { SetupError } from "./progress.mjs";

/**
 * Installs Debian packages as root; tells an ordinary user the line to type.
 * @param {{ names: string[], why: string, root: string, progress: import("./progress.mjs").Progress }} options
 */
export async function installDebianPackages({ names, why, root, progress }) {
  const line = `apt-get update && apt-get install -y --no-install-recommends ${names.join(" ")}`;
  const hasApt = (await run("apt-get", ["--version"])).code === 0;
  if (!hasApt)
    throw new SetupError(
      `${why}: install ${names.join(", ")} with the package manager of this system and start again.`,
    );
  if (!isRoot) throw new SetupError(`${why}. Type this line, then start again:\n\n    sudo sh -c '${line}'\n`);
  const logFile = join(root, ".dormouse", "apt.log");
  mkdirSync(join(root, ".dormouse"), { recursive: true });
  // Another apt may hold its lock, as on a machine that has just booted.
  const patient = ["-o", "DPkg::Lock::Timeout=300", "-o", "Acquire::Retries=3"];
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await progress.run("host", `installing ${names.join(", ")}`, async () => {
    // An outdated list fails only where a package is missing from it, so the install alone decides.
    await run("apt-get", [...patient, "update"], { env, logFile });
    const installed = await run("apt-get", [...patient, "install", "-y", "--no-install-recommends", ...names], {
      env,
      logFile,
    });
    if (installed.code === 0) return;
    throw new SetupError(`${why}, and installing failed. Try it by hand: ${line}\n\n${tailOf(logFile, 2_000).trim()}`);
  });
}

/**
 * Makes sure that sandboxes can be isolated on this host.
 * @param {{ root: string, dataDir: string, progress: import("./progress.mjs").Progress }} options
 */
export async function checkHost({ root, dataDir, progress }) {
  const doctor = await import("../doctor.mjs");
  /** @type {string[]} */
  const missing = await doctor.missingPackages();
  if (missing.length > 0)
    await installDebianPackages({
      names: missing,
      why: "Sandboxes need programs that this host lacks",
      root,
      progress,
    });
  const checks = await doctor.runChecks({ dataDir });
  const inWords = ({ name, message, fix }) => `${name}: ${message}${fix ? `\n      ${fix}` : ""}`;
  for (const check of checks) if (!check.ok && !check.required) progress.say("host", `note: ${inWords(check)}`);
  const failed = checks.filter((check) => !check.ok && check.required);
  if (failed.length > 0)
    throw new SetupError(
      `This host cannot isolate sandboxes yet:\n${failed.map((check) => `  ${inWords(check)}`).join("\n")}`,
    );
  progress.say("host", `ok (${checks.length} checks)`);
}

/** @returns {string | null} a Chromium of this host that browser tests can drive */
export function findChromium() {
  const candidates = [
    process.env.DORMOUSE_CHROMIUM ?? "",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
  ];
  return candidates.find((path) => path && existsSync(path)) ?? null;
}
