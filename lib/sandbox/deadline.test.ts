import { expect, test } from "vitest";
import { within } from "./deadline";
import { isSandboxError } from "./errors";

test("what is done in time is answered, and its own errors go on", async () => {
  expect(await within(1_000, Promise.resolve(null))).toBe(null);
  await expect(within(1_000, Promise.reject(new Error("no")))).rejects.toThrow("no");
});

test("what hangs is left behind as transient, and what comes of it later is nobody's error", async () => {
  const late = Promise.withResolvers<never>();
  const error = await within(1, late.promise).catch((caught: unknown) => caught);
  expect(isSandboxError(error, "transient") && error.reason).toBe("deadline");
  late.reject(new Error("nobody listens"));
  await new Promise((resolve) => setImmediate(resolve));
});
