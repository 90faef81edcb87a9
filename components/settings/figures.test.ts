import { expect, test } from "vitest";
import { formatMoney, formatTokens, modelFacts } from "./figures";

test.each([
  [0, "0"],
  [999, "999"],
  [1_000, "1k"],
  [12_345, "12.3k"],
  [200_000, "200k"],
  [1_000_000, "1M"],
  [1_234_567, "1.2M"],
])("%i tokens are %s", (tokens, words) => expect(formatTokens(tokens)).toBe(words));

test.each([
  [null, "unknown"],
  [0, "$0"],
  [0.00001, "under $0.0001"],
  [0.0042, "$0.0042"],
  [0.5, "$0.50"],
  [1234.5, "$1234.50"],
])("%s dollars are %s", (usd, words) => expect(formatMoney(usd)).toBe(words));

test("a model says what is known of it, and that the rest is unknown", () => {
  const model = { ref: "a/b", label: "B", provider: "anthropic" as const };
  const price = { inputUsd: 3, outputUsd: 15, cacheReadUsd: null, cacheWriteUsd: null };
  expect(modelFacts({ ...model, contextTokens: 200_000, acceptsImages: true, price })).toBe(
    "200k context · Sees images · $3.00 in, $15.00 out per 1M",
  );
  expect(modelFacts({ ...model, contextTokens: null, acceptsImages: false, price: null })).toBe(
    "Context unknown · Text only · Price unknown",
  );
});
