// Runs one suite and counts what it says.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { environmentWithNode } from "./npm.mjs";
import { endProcess, endsWithUs, identify } from "./processes.mjs";
import { formatDuration } from "./progress.mjs";
import { countVitestReport, failuresIn } from "./suite-counts.mjs";

const NO_SOURCE_FOLDERS = new Set(["node_modules", ".next", ".git", ".dormouse"]);

/** @param {string} folder @param {RegExp} pattern @returns {boolean} whether some file below is named so */
export function hasFile(folder, pattern) {
  return readdirSync(folder, { withFileTypes: true }).some((entry) =>
    entry.isDirectory()
      ? !NO_SOURCE_FOLDERS.has(entry.name) && hasFile(join(folder, entry.name), pattern)
      : pattern.test(entry.name),
  );
}

/** Everything below a process, so that a suite that hangs leaves nothing. */
function descendants(/** @type {number} */ pid) {
  const found = [];
  let children = "";
  try {
    children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  } catch {
    return found;
  }
  for (const child of children.split(" ").filter(Boolean).map(Number)) found.push(child, ...descendants(child));
  return found;
}

/**
 * Runs Node on a script with its output shown.
 * @param {string[]} args
 * @param {{ root: string, env: NodeJS.ProcessEnv, limitMs: number }} options
 * @returns {Promise<number>} the exit code; 124 when the time was over
 */
function runShown(args, { root, env, limitMs }) {
  return new Promise((resolve) => {
    const child = spawn(...endsWithUs("SIGTERM", process.execPath, args), {
      cwd: root,
      env,
      stdio: ["ignore", "inherit", "inherit"],
    });
    let overdue = false;
    const limit = setTimeout(async () => {
      overdue = true;
      console.log(`\nended after ${formatDuration(limitMs)}: it takes too long`);
      const all = [child.pid ?? 0, ...descendants(child.pid ?? 0)].map((pid) => identify(pid));
      for (const identity of all) if (identity) await endProcess(identity, [{ signal: "SIGTERM", waitMs: 1_000 }]);
    }, limitMs);
    const finish = (/** @type {number} */ code) => {
      clearTimeout(limit);
      resolve(overdue ? 124 : code);
    };
    child.once("error", () => finish(127));
    child.once("exit", (code) => finish(code ?? 1));
  });
}

/**
 * @param {import("./suites.mjs").Suite} suite of kind "command" or "vitest"
 * @param {{ root: string, env: NodeJS.ProcessEnv }} options `env` goes on top of our environment
 * @returns {Promise<import("./suite-counts.mjs").Counts & { failures: string[] }>}
 */
export async function runSuite(suite, { root, env }) {
  // Vite warns about how it will read configurations one day.
  const ours = { ...environmentWithNode(), VITE_CONFIG_NATIVE_IGNORE_WARNING: "true" };
  const options = { root, env: { ...ours, ...env }, limitMs: suite.limitMs };
  if (suite.kind === "command") {
    for (const args of suite.commands?.(root) ?? []) {
      const code = await runShown(args, options);
      if (code !== 0) return { passed: 0, failed: 1, skipped: 0, failures: [`ended with code ${code}, see above`] };
    }
    return { passed: 1, failed: 0, skipped: 0, failures: [] };
  }
  const folder = join(root, ".dormouse", "reports");
  mkdirSync(folder, { recursive: true });
  const reportFile = join(folder, `${suite.name}.json`);
  rmSync(reportFile, { force: true });
  const vitest = [join(root, "node_modules", "vitest", "vitest.mjs"), "run", ...(suite.vitest?.(root) ?? [])];
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`];
  const code = await runShown([...vitest, ...reporters], options);
  const report = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, "utf8")) : null;
  return { ...countVitestReport(report, code), failures: failuresIn(report, code) };
}
