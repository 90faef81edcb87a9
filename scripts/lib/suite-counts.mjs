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
