import { expect, test } from "vitest";
import { findModels } from "./find-models";

const model = (ref: string, label: string) => ({
  ...{ ref, label, provider: "gateway" as const },
  ...{ contextTokens: null, acceptsImages: false, price: null },
});
const MODELS = [model("gateway/a/opus", "Opus"), model("gateway/a/sonnet", "Sonnet"), model("openai/gpt", "GPT")];

test.each([
  ["", 3],
  ["  ", 3],
  ["SON", 1],
  ["gateway opus", 1],
  ["gateway", 2],
  ["opus sonnet", 0],
])("%j finds %i of three models", (typed, count) => expect(findModels(MODELS, typed)).toHaveLength(count));

test("of hundreds only the first are shown, and typing finds the others", () => {
  const many = Array.from({ length: 500 }, (_, index) => model(`gateway/m${index}`, `Model ${index}`));
  expect(findModels(many, "")).toHaveLength(60);
  expect(findModels(many, "model 499").map(({ ref }) => ref)).toEqual(["gateway/m499"]);
});
