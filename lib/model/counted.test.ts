import type { LanguageModelUsage } from "ai";
import { expect, test } from "vitest";
import { countedUsage } from "./counted";

const usage = (inputTokens?: number, outputTokens?: number, cacheReadTokens?: number): LanguageModelUsage => ({
  inputTokens,
  outputTokens,
  totalTokens: undefined,
  inputTokenDetails: { noCacheTokens: undefined, cacheReadTokens, cacheWriteTokens: undefined },
  outputTokenDetails: { textTokens: undefined, reasoningTokens: undefined },
});
const counts = { cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };

test("what a provider counts is taken over, in whole tokens", () => {
  expect(countedUsage(usage(10, 5, 4))).toEqual({ ...counts, inputTokens: 10, outputTokens: 5, cacheReadTokens: 4 });
  expect(countedUsage(usage(12.5, 0.9))).toEqual({ ...counts, inputTokens: 12, outputTokens: 0 });
  expect(countedUsage(usage(2 ** 31 - 1))).toEqual({ ...counts, inputTokens: 2 ** 31 - 1, outputTokens: 0 });
});

test.each([-5, 3e12, 2 ** 31, Number.NaN, Number.POSITIVE_INFINITY])(
  "a count of %s cannot be, so that it is not counted",
  (said) => {
    expect(countedUsage(usage(said, 5))).toBeNull();
    expect(countedUsage(usage(10, said))).toBeNull();
    expect(countedUsage(usage(10, 5, said))).toEqual({ ...counts, inputTokens: 10, outputTokens: 5 });
  },
);

test("a provider that says nothing has counted nothing", () => {
  expect(countedUsage(usage())).toBeNull();
});
