import { expect, it, test } from "vitest";
import { changedLimits, contextShare, costWords, limitTexts, limitWords } from "@/components/session/usage-words";

const NONE = { maxSteps: null, maxCostUsd: null, sessionMaxSteps: null, sessionMaxCostUsd: null };
const TOTAL = {
  ...{ calls: 2, inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
  ...{ costUsd: 0.5, unpriced: 0, estimated: 0 },
};

test("money is said as far as it is known", () => {
  expect(costWords(TOTAL)).toBe("$0.50");
  expect(costWords({ ...TOTAL, unpriced: 1 })).toBe("$0.50 and 1 call of unknown price");
  expect(costWords({ ...TOTAL, unpriced: 2, costUsd: null })).toBe("unknown");
  expect(costWords({ ...TOTAL, calls: 0, costUsd: null })).toBe("$0");
});

test("the window is as full as the newest step left it, if its size is known", () => {
  const model = { ref: "a/b", label: "B", provider: "anthropic" as const, acceptsImages: true, price: null };
  const step = { chatId: "c", model: "a/b", contextTokens: 50_000 };
  expect(contextShare(null, [])).toBeNull();
  expect(contextShare(step, [{ ...model, contextTokens: 200_000 }])).toEqual({
    share: 0.25,
    words: "50k of 200k, 25%",
  });
  expect(contextShare(step, [{ ...model, contextTokens: null }])?.share).toBeNull();
  expect(contextShare(step, [{ ...model, contextTokens: 40_000 }])?.share).toBe(1);
});

it("says which limits there are", () => {
  expect(limitWords(NONE)).toBe("none of your own");
  expect(limitWords({ ...NONE, maxSteps: 5, sessionMaxCostUsd: 2 })).toBe("5 steps a turn, $2.00 in all");
});

it("sends only the limits that were changed, and null for one that was taken away", () => {
  const before = { ...NONE, maxSteps: 5, maxCostUsd: 1 };
  const texts = limitTexts(before);
  expect(changedLimits(before, texts)).toEqual({});
  expect(changedLimits(before, { ...texts, maxSteps: " ", sessionMaxSteps: "40" })).toEqual({
    ...{ maxSteps: null, sessionMaxSteps: 40 },
  });
});
