import { describe, expect, it } from "vitest";
import { countsLine, countVitestReport, failuresIn, sumCounts } from "./suite-counts.mjs";

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

describe("naming what failed", () => {
  it("says where, which test and what it said", () => {
    const test = { status: "failed", fullName: "stop keeps the text", failureMessages: ["expected 1 to be 2\n at x"] };
    const report = { testResults: [{ name: "a.test.ts", status: "failed", assertionResults: [test] }] };
    expect(failuresIn(report, 1)).toEqual(["a.test.ts › stop keeps the text\n      expected 1 to be 2\n       at x"]);
  });

  it("names a file that could not be loaded, and a run that failed outside of its tests", () => {
    const report = { testResults: [{ name: "b.test.ts", status: "failed", message: "no such module" }] };
    expect(failuresIn(report, 1)).toEqual(["b.test.ts\n      no such module"]);
    expect(failuresIn(null, 124)[0]).toContain("code 124");
  });

  it("is silent where nothing failed", () => {
    expect(failuresIn({ testResults: [file("passed", "passed", "pending")] }, 0)).toEqual([]);
  });
});

it("ends with the line that others parse", () => {
  const total = sumCounts([
    { passed: 3, failed: 0, skipped: 1 },
    { passed: 4, failed: 2, skipped: 0 },
  ]);
  expect(countsLine(total)).toBe("7 passed, 2 failed, 1 skipped");
});
