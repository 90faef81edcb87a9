import { describe, expect, it } from "vitest";
import { countsLine, countVitestReport, sumCounts } from "./suite-counts.mjs";

const file = (status, ...tests) => ({ status, assertionResults: tests.map((test) => ({ status: test })) });

describe("counting a report of Vitest", () => {
  it("counts every test once, by its outcome", () => {
    const report = {
      testResults: [file("failed", "passed", "failed", "failed"), file("passed", "passed", "pending", "todo")],
    };
    expect(countVitestReport(report, 1)).toEqual({ passed: 2, failed: 2, skipped: 2 });
  });

  it("counts a file that could not be loaded as a failure", () => {
    expect(countVitestReport({ testResults: [file("failed"), file("passed", "passed")] }, 1)).toEqual({
      ...{ passed: 1, failed: 1, skipped: 0 },
    });
  });

  it("never lets a failed run look like a good one", () => {
    expect(countVitestReport(null, 1).failed).toBe(1);
    expect(countVitestReport({ testResults: [file("passed", "passed")] }, 1).failed).toBe(1);
    expect(countVitestReport(null, 124).failed).toBe(1);
  });
});

it("ends with the line that others parse", () => {
  const total = sumCounts([
    { passed: 3, failed: 0, skipped: 1 },
    { passed: 4, failed: 2, skipped: 0 },
  ]);
  expect(countsLine(total)).toBe("7 passed, 2 failed, 1 skipped");
});
