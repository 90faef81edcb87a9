import { expect, test } from "vitest";
import { callSites } from "./log";

test("call sites hold nothing of the message, whose later lines may be what people wrote", () => {
  const error = new Error("Failed query: insert\nparams: a secret of mine, at noon");
  expect(callSites(error)).toMatch(/^at .*log\.test\.ts/);
  expect(callSites(error)).not.toMatch(/secret|noon/);
  expect(callSites("no error")).toBe("");
});
