import { describe, expect, test } from "vitest";
import { applyView, charsOf, decideCondense, NOTHING_CONDENSED, toUnits, type Unit } from "./condense";
import type { ChatMessage } from "./contract";

const person = (id: string, text = `words of ${id}`): ChatMessage => ({
  id,
  role: "user",
  parts: [{ type: "text", text }],
});
const answer = (turnId: string, steps: number, output = "x"): ChatMessage => ({
  id: `msg_${turnId}`,
  role: "assistant",
  metadata: { turnId },
  parts: Array.from({ length: steps }, (_, n): ChatMessage["parts"] => [
    { type: "step-start" },
    {
      type: "tool-bash",
      toolCallId: `${turnId}-${n}`,
      state: "output-available",
      input: { n },
      output: { stdout: output },
    },
  ]).flat(),
});
const decide = (units: readonly Unit[], windowTokens: number, view = NOTHING_CONDENSED) =>
  decideCondense({ units, view, fixedChars: 0, windowTokens, tokensOf: (chars) => chars / 4 });
const sizeOf = (messages: readonly ChatMessage[]) => messages.reduce((sum, message) => sum + charsOf(message), 0) / 4;
const planOf = (decision: ReturnType<typeof decide>) => {
  if (decision.do !== "condense") throw new Error(`expected a plan, got ${decision.do}`);
  return decision.plan;
};

describe("units", () => {
  test("a message of a person is one, and so is each step of an answer; keys stay when it grows", () => {
    const short = toUnits([person("a"), answer("t", 2)]);
    expect(short.map(({ key }) => key)).toEqual(["m:a", "s:t:0", "s:t:1"]);
    expect(
      toUnits([person("a"), answer("t", 5), person("b")])
        .slice(0, 3)
        .map(({ key }) => key),
    ).toEqual(short.map(({ key }) => key));
  });

  test("nothing is lost when nothing is condensed", () => {
    const messages = [person("a"), answer("t", 3), person("b")];
    const shown = applyView(toUnits(messages), NOTHING_CONDENSED);
    expect(shown.flatMap(({ parts }) => parts)).toEqual(messages.flatMap(({ parts }) => parts));
  });
});

describe("condensing", () => {
  const long = toUnits([
    person("a", "the task"),
    answer("t", 60, "y".repeat(400)),
    person("b", "and now this"),
    answer("u", 2),
  ]);
  const tokens = sizeOf(long.map(({ message }) => message));

  test("does nothing up to 80 % of the window, and starts above", () => {
    expect(decide(long, tokens / 0.8 + 1)).toMatchObject({ do: "nothing" });
    expect(decide(long, tokens / 0.8 - 1)).toMatchObject({ do: "condense" });
  });

  test("the first four stay, the newest stay, and so does the newest message of a person", () => {
    const plan = planOf(decide(long, tokens / 2));
    expect(plan.stages).toEqual(["window", "summary"]);
    const shown = applyView(long, { ...plan.view, summary: "What happened." });
    expect(shown.slice(0, 4)).toEqual(long.slice(0, 4).map(({ message }) => message));
    expect(shown[4]?.parts[0]).toMatchObject({ text: expect.stringContaining("What happened.") });
    expect(shown.at(-1)).toEqual(long.at(-1)?.message);
    expect(JSON.stringify(shown)).toContain("and now this");
    expect(sizeOf(shown)).toBeLessThan(tokens / 2);
  });

  test("a person's newest message stays even when many steps came after it", () => {
    const units = toUnits([
      person("a"),
      answer("t", 3),
      person("b", "the newest wish"),
      answer("u", 80, "z".repeat(400)),
    ]);
    const plan = planOf(decide(units, 5_000));
    expect(JSON.stringify(applyView(units, plan.view))).toContain("the newest wish");
  });

  test("a person's message that drops out when the next one comes has been summarised by then", () => {
    const units = toUnits([person("a"), answer("t", 3), person("b", "an old wish"), answer("u", 80, "z".repeat(400))]);
    const plan = planOf(decide(units, 5_000));
    const grown = [...units, ...toUnits([person("c", "a new wish")])];
    expect(JSON.stringify(applyView(grown, plan.view))).not.toContain("an old wish");
    expect(plan.toSummarise.map(({ key }) => key)).toContain("m:b");
    // Nor is anything summarised twice.
    const further = [...grown, ...toUnits([answer("v", 80, "z".repeat(400))])];
    const next = planOf(decide(further, 5_000, plan.view));
    const keys = [...plan.toSummarise, ...next.toSummarise].map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toContain("m:c");
  });

  test("old long tool output is shortened, and the last two stay whole", () => {
    const units = toUnits([person("a"), answer("t", 4, "z".repeat(20_000))]);
    const plan = planOf(decide(units, 15_000));
    expect(plan.stages).toEqual(["tool_output"]);
    const shown = applyView(units, plan.view);
    const whole = shown.map((message) => JSON.stringify(message).includes("z".repeat(20_000)));
    expect(whole).toEqual([false, false, false, true, true]);
    expect(JSON.stringify(shown[1])).toContain("characters left out by Dormouse");
  });

  test("is not endless: the view that it made needs none, and grows into the next one", () => {
    const plan = planOf(decide(long, tokens / 2));
    expect(decide(long, tokens / 2, plan.view)).toMatchObject({ do: "nothing" });
    const grown = [...long, ...toUnits([person("c"), answer("v", 60, "y".repeat(400))])];
    const next = planOf(decide(grown, tokens / 2, plan.view));
    const earlier = new Set(plan.toSummarise.map(({ key }) => key));
    expect(next.toSummarise.some(({ key }) => earlier.has(key))).toBe(false);
  });

  test("gives up when what must stay is too long already", () => {
    const units = toUnits([person("a", "w".repeat(100_000)), answer("t", 1), person("b")]);
    expect(decide(units, 10_000)).toMatchObject({ do: "give_up" });
  });

  test("between 80 and 100 % with nothing to leave out the step is simply made", () => {
    const units = toUnits([person("a", "w".repeat(36_000))]);
    expect(decide(units, 10_000)).toMatchObject({ do: "nothing" });
  });
});
