import { execFile } from "node:child_process";
import { chown, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const run = promisify(execFile);
/** Nobody in particular. */
const ORDINARY_UID = 61_500;
const SUITE = "lib/sandbox/providers/local/provider.live.test.ts";

describe.skipIf(process.getuid?.() !== 0)("the same promises for an ordinary user", () => {
  it("keeps them without root, cgroups and images", { timeout: 600_000 }, async () => {
    const home = await mkdtemp(path.join(tmpdir(), "dormouse-user-"));
    await chown(home, ORDINARY_UID, ORDINARY_UID);
    try {
      const become = ["--reuid", String(ORDINARY_UID), "--regid", String(ORDINARY_UID), "--clear-groups", "--"];
      const vitest = path.resolve("node_modules/vitest/vitest.mjs");
      const report = path.join(home, "report.json");
      const suite = [
        process.execPath,
        vitest,
        "run",
        "--project",
        "live",
        "--reporter=json",
        `--outputFile=${report}`,
        SUITE,
      ];
      // The suite's own failures are in its report.
      await run("setpriv", [...become, ...suite], {
        env: { ...process.env, HOME: home, TMPDIR: home, VITEST: undefined, VITEST_WORKER_ID: undefined },
        maxBuffer: 64 * 1024 * 1024,
      }).catch(() => {});
      const outcome = JSON.parse(await readFile(report, "utf8")) as {
        testResults: { assertionResults: { status: string; fullName: string; failureMessages: string[] }[] }[];
      };
      const results = outcome.testResults.flatMap(({ assertionResults }) => assertionResults);
      expect(results.filter(({ status }) => status === "failed")).toEqual([]);
      expect(results.filter(({ status }) => status === "passed").length).toBeGreaterThan(40);
      expect(results[0]?.fullName).toContain("ordinary user");
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });
});
