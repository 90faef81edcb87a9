// `npm test`: does its own set-up on a fresh clone, runs every suite, ends with `N passed, N failed, N skipped`.
// `npm test -- unit db` runs only the suites named.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildApp } from "./lib/build.mjs";
import { isRoot } from "./lib/data-dir.mjs";
import { weighFirstLoad } from "./lib/first-load.mjs";
import { continueOnSupportedNode } from "./lib/node24.mjs";
import { createProgress, formatDuration, printFailure, SetupError } from "./lib/progress.mjs";
import { aloneInCheckout, setUp } from "./lib/setup.mjs";
import { countsLine, sumCounts } from "./lib/suite-counts.mjs";
import { hasFile, runSuite } from "./lib/suite-run.mjs";
import { SUITES } from "./lib/suites.mjs";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const progress = createProgress();
const ONE = { passed: 0, failed: 0, skipped: 0 };
/** Pools of several servers at once. */
const MAX_CONNECTIONS = 400;

/** @returns {import("./lib/suites.mjs").Suite[]} */
function chosenSuites() {
  const names = process.argv.slice(2);
  const unknown = names.filter((name) => !SUITES.some((suite) => suite.name === name));
  if (unknown.length > 0)
    throw new SetupError(
      `There is no suite named ${unknown.join(", ")}. Suites: ${SUITES.map((suite) => suite.name).join(", ")}.`,
    );
  if (names.length === 0) return SUITES;
  const wanted = SUITES.filter((suite) => names.includes(suite.name));
  const needsBuild = wanted.some((suite) => suite.needsBuild);
  return SUITES.filter((suite) => names.includes(suite.name) || (needsBuild && suite.kind === "build"));
}

/** @returns {Promise<string | null>} why browser tests cannot run here, null if they can */
async function browserProblem() {
  const { findChromium, installDebianPackages } = await import("./lib/host.mjs");
  if (findChromium()) return null;
  const why = "The browser tests need Chromium";
  if (!isRoot) return `${why}: sudo apt-get install -y chromium`;
  await installDebianPackages({ names: ["chromium"], why, root, progress });
  return findChromium() ? null : "Chromium was installed but is not in /usr/bin";
}

/** @returns {Promise<import("./lib/suite-counts.mjs").Counts & { failures: string[] }>} */
async function build() {
  try {
    await aloneInCheckout({ root, progress }, () => buildApp({ root, progress }));
    const { line, tooHeavy } = weighFirstLoad(root);
    console.log(line);
    if (tooHeavy) throw new SetupError("The session page has become too heavy.");
    return { ...ONE, passed: 1, failures: [] };
  } catch (error) {
    printFailure(error);
    return { ...ONE, failed: 1, failures: ["did not end well, see above"] };
  }
}

/**
 * Runs the suites one after the other.
 * @param {import("./lib/suites.mjs").Suite[]} suites
 * @param {NodeJS.ProcessEnv} env
 */
async function runAll(suites, env) {
  /** @type {{ title: string, counts: import("./lib/suite-counts.mjs").Counts, failures: string[], note: string }[]} */
  const results = [];
  let built = true;
  for (const suite of suites) {
    const startedAt = Date.now();
    console.log(`\n━━ ${suite.title} (${suite.name})`);
    let counts = ONE;
    /** @type {string[]} */
    let failures = [];
    let note = "";
    if (suite.needs?.some((file) => !existsSync(join(root, file)))) {
      note = `skipped: ${suite.needs.join(", ")} is missing`;
      counts = { ...ONE, skipped: 1 };
    } else if (suite.files && !hasFile(root, suite.files)) note = "no tests";
    else if (suite.needsBuild && !built) {
      note = "skipped: there is no build";
      counts = { ...ONE, skipped: 1 };
    } else {
      const problem = suite.needsBrowser ? await browserProblem().catch((error) => String(error.message)) : null;
      if (problem) {
        note = `skipped: ${problem}`;
        counts = { ...ONE, skipped: 1 };
      } else if (suite.kind === "build") {
        ({ failures, ...counts } = await build());
        built = counts.failed === 0;
      } else ({ failures, ...counts } = await runSuite(suite, { root, env }));
    }
    const took = formatDuration(Date.now() - startedAt);
    results.push({ title: suite.title, counts, failures, note: note || took });
    console.log(`━━ ${suite.name}: ${countsLine(counts)} (${note || took})`);
  }
  return results;
}

/** @returns {Promise<number>} the exit code */
async function main() {
  const suites = chosenSuites();
  const dataDir = mkdtempSync(join(tmpdir(), "dormouse-test-db-"));
  /** @type {import("./lib/postgres.mjs").EmbeddedPostgres | undefined} */
  let postgres;
  const cleanUp = async () => {
    await postgres?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  for (const [signal, code] of /** @type {const} */ ([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ]))
    process.once(signal, () => cleanUp().finally(() => process.exit(code)));
  process.once("disconnect", () => cleanUp().finally(() => process.exit(1)));
  try {
    await setUp({ root, dataDir, progress });
    const { startPostgres } = await import("./lib/postgres.mjs");
    postgres = await progress.run("database", "starting a Postgres for the tests", () =>
      startPostgres({ dataDir, durable: false, maxConnections: MAX_CONNECTIONS }),
    );
    const results = await runAll(suites, { TEST_DATABASE_URL: postgres.url, DORMOUSE_TEST_BUILT: "1", CI: "true" });
    console.log("");
    for (const { title, failures } of results) for (const failure of failures) console.log(`✗ ${title}: ${failure}\n`);
    const width = Math.max(...results.map(({ title }) => title.length));
    for (const { title, counts, note } of results)
      console.log(`  ${title.padEnd(width)}  ${countsLine(counts)}  (${note})`);
    const total = sumCounts(results.map(({ counts }) => counts));
    console.log(`\n${countsLine(total)}`);
    return total.failed > 0 ? 1 : 0;
  } finally {
    await cleanUp();
  }
}

try {
  if (await continueOnSupportedNode({ root, script: fileURLToPath(import.meta.url), progress }))
    process.exit(await main());
} catch (error) {
  printFailure(error);
  // Whoever reads only the last line learns that nothing was tested.
  console.log(`\n${countsLine({ ...ONE, failed: 1 })}`);
  process.exit(1);
}
