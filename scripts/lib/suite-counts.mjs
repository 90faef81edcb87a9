// Counting tests. Pure.

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/** @param {Counts[]} all @returns {Counts} */
export function sumCounts(all) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const counts of all)
    for (const key of /** @type {const} */ (["passed", "failed", "skipped"])) total[key] += counts[key];
  return total;
}

/** @param {Counts} counts @returns {string} exactly `N passed, N failed, N skipped` */
export function countsLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/**
 * Counts a report of Vitest. A file that could not be loaded has no tests in it and counts as one failure; so does a
 * run that failed although no test did (an unhandled error), or that left no report.
 * @param {any} report what the JSON reporter wrote, null if there is none
 * @param {number} exitCode of the run
 * @returns {Counts}
 */
export function countVitestReport(report, exitCode) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const file of report?.testResults ?? []) {
    const tests = file.assertionResults ?? [];
    for (const { status } of tests) {
      if (status === "passed") counts.passed += 1;
      else if (status === "failed") counts.failed += 1;
      else counts.skipped += 1;
    }
    if (file.status === "failed" && !tests.some((/** @type {any} */ test) => test.status === "failed"))
      counts.failed += 1;
  }
  if (exitCode !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

/** Lines shown of what a failed test said. */
const MESSAGE_LINES = 6;

/**
 * Names what failed, since the place where it was printed may be thousands of lines above the end.
 * @param {any} report what the JSON reporter wrote, null if there is none
 * @param {number} exitCode of the run
 * @returns {string[]} one text for each failure: where, which test, the first lines of what it said
 */
export function failuresIn(report, exitCode) {
  const said = (/** @type {string[]} */ messages) =>
    messages
      .flatMap((message) => message.split("\n").slice(0, MESSAGE_LINES))
      .map((line) => `\n      ${line}`)
      .join("");
  const failures = [];
  for (const file of report?.testResults ?? []) {
    const failed = (file.assertionResults ?? []).filter((/** @type {any} */ test) => test.status === "failed");
    for (const test of failed) failures.push(`${file.name} › ${test.fullName}${said(test.failureMessages ?? [])}`);
    if (file.status === "failed" && failed.length === 0) failures.push(`${file.name}${said([file.message ?? ""])}`);
  }
  if (exitCode !== 0 && failures.length === 0)
    failures.push(`ended with code ${exitCode} although no test failed: an error outside of the tests, printed above`);
  return failures;
}
