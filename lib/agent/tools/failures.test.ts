import { describe, expect, test } from "vitest";
import { SandboxError, type SandboxErrorKind } from "@/lib/sandbox/errors";
import { LEASE_LOST } from "../tool";
import { orFailure } from "./failures";

const live = { signal: new AbortController().signal };
const throws = (error: unknown) => async () => {
  throw error;
};

describe("orFailure", () => {
  test.each<[SandboxErrorKind, string]>([
    ["not_found", "not_found"],
    ["gone", "sandbox_gone"],
    ["conflict", "sandbox_busy"],
    ["throttled", "sandbox_busy"],
    ["transient", "sandbox_trouble"],
    ["permanent", "refused"],
    ["unknown_outcome", "unknown_outcome"],
  ])("a sandbox error of kind %s is a result with words of ours, never the provider's", async (kind, error) => {
    const result = await orFailure(live, throws(new SandboxError(kind, "provider words")));
    expect(result).toMatchObject({ ok: false, output: { error } });
    expect(JSON.stringify(result)).not.toContain("provider words");
  });

  test("a known reason gets its own words", async () => {
    const result = await orFailure(live, throws(new SandboxError("permanent", "x", { reason: "disk_full" })));
    expect(result.output.message).toContain("full");
  });

  test("what fails because of a stop or a lost lease says that, and not the error", async () => {
    const during = async (reason?: unknown) => {
      const stop = new AbortController();
      return orFailure({ signal: stop.signal }, async () => {
        stop.abort(reason);
        throw new SandboxError("transient", "x");
      });
    };
    expect((await during()).output.error).toBe("stopped");
    expect((await during(LEASE_LOST)).output.error).toBe("lease_lost");
  });

  test("a bug is thrown on", async () => {
    await expect(orFailure(live, throws(new TypeError("bug")))).rejects.toThrow("bug");
  });
});
