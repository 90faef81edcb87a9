// `npm run doctor`: can this host isolate sandboxes, and if not, what has to be done? Plain Node 20, nothing installed before.
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checkKernel, checkNamespaces, checkNode, checkPlatform, checkProc } from "./doctor/kernel.mjs";
import { checkLaunch } from "./doctor/launch.mjs";
import { checkGit, checkPrograms } from "./doctor/programs.mjs";
import { fail, formatCheck } from "./doctor/report.mjs";
import { checkCgroups, checkDataDir, checkLoopDevices, checkMemory } from "./doctor/resources.mjs";
import { resolveDataDir } from "./lib/data-dir.mjs";

export { missingPackages } from "./doctor/programs.mjs";

/**
 * Runs every check, one after the other. A check that breaks counts as failed; the others still run.
 * @param {{ dataDir: string }} options
 * @returns {Promise<import("./doctor/report.mjs").Check[]>}
 */
export async function runChecks({ dataDir }) {
  const platform = checkPlatform();
  if (process.platform !== "linux") return [platform];
  const checks = [platform];
  const rest = {
    checkNode,
    checkKernel,
    checkPrograms,
    checkGit,
    checkNamespaces,
    checkProc,
    checkLaunch,
    checkCgroups,
    checkLoopDevices,
    checkMemory,
    checkDataDir,
  };
  for (const [name, check] of Object.entries(rest)) {
    try {
      checks.push(await check(dataDir));
    } catch (error) {
      checks.push(fail(name, `the check itself broke: ${error.message}`, "please report this"));
    }
  }
  return checks;
}

/** Whether sandboxes can run: every check that is required passed. @param {import("./doctor/report.mjs").Check[]} checks */
export const isFit = (checks) => checks.every(({ ok, required }) => ok || !required);

async function main() {
  const checks = await runChecks({ dataDir: resolveDataDir(process.env) });
  const ok = isFit(checks);
  if (process.argv.includes("--json")) console.log(JSON.stringify({ ok, checks }, null, 2));
  else
    console.log(
      [
        ...checks.map(formatCheck),
        "",
        ok ? "This host can run sandboxes." : "This host cannot run sandboxes yet.",
      ].join("\n"),
    );
  process.exitCode = ok ? 0 : 1;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await main();
