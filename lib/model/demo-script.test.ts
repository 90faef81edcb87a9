import { describe, expect, test } from "vitest";
import { closingSentence, planDemoAnswer } from "./demo-script";

const calls = (message: string) => planDemoAnswer(message).flatMap((step) => (step.call === null ? [] : [step.call]));

describe("planDemoAnswer", () => {
  test("text lines up to and including the next tool line are one step, and the rest is the last step", () => {
    const plan = planDemoAnswer("say one\nthink two\n$ ls -la\n\nsay three\nread a.txt\nsay four");
    expect(plan).toEqual([
      {
        segments: [
          { type: "text", text: "one" },
          { type: "reasoning", text: "two" },
        ],
        call: { toolName: "bash", input: { command: "ls -la" } },
      },
      { segments: [{ type: "text", text: "three" }], call: { toolName: "read", input: { path: "a.txt" } } },
      { segments: [{ type: "text", text: "four" }], call: null },
    ]);
  });

  test("a message without tool lines is one step without a call", () => {
    expect(planDemoAnswer("say hi")).toEqual([{ segments: [{ type: "text", text: "hi" }], call: null }]);
    expect(planDemoAnswer("")).toEqual([{ segments: [], call: null }]);
  });

  test("write takes the path up to the colon, and backslash-n in the text is a new line", () => {
    expect(calls("write src/my file.txt: a: b\\nc\\n")).toEqual([
      { toolName: "write", input: { path: "src/my file.txt", content: "a: b\nc\n" } },
    ]);
    expect(calls("write a.txt:text")).toEqual([{ toolName: "write", input: { path: "a.txt", content: "text" } }]);
    expect(calls("write empty.txt:")).toEqual([{ toolName: "write", input: { path: "empty.txt", content: "" } }]);
    expect(calls("write a.txt:   indented  ")).toEqual([
      { toolName: "write", input: { path: "a.txt", content: "  indented  " } },
    ]);
  });

  test("edit splits at the first arrow and takes both sides literally", () => {
    expect(calls("edit a.ts: x = 1; => $& => y")).toEqual([
      { toolName: "edit", input: { path: "a.ts", oldString: "x = 1;", newString: "$& => y" } },
    ]);
    expect(calls("edit a.ts: gone =>")).toEqual([
      { toolName: "edit", input: { path: "a.ts", oldString: "gone", newString: "" } },
    ]);
  });

  test("ask, slow and fail are read; a fail of an unknown class is no instruction", () => {
    expect(calls("ask Which one?")).toEqual([{ toolName: "ask_user_question", input: { question: "Which one?" } }]);
    expect(planDemoAnswer("slow 3\nfail rate-limit")[0]?.segments).toEqual([
      { type: "slow", count: 3 },
      { type: "fail", failure: "rate-limit" },
    ]);
    expect(calls("fail badly")).toHaveLength(1);
  });

  test("anything else looks round with one call in all, then explains that this is a scripted demo", () => {
    const plan = planDemoAnswer("Please fix the bug.\nIt is in the parser.\n\nThanks!");
    expect(plan.map((step) => step.call?.toolName ?? null)).toEqual(["bash", null]);
    expect(JSON.stringify(plan[1]?.segments)).toContain("scripted demo model");
  });

  test("line ends of Windows are no part of an instruction", () => {
    expect(calls("$ ls\r\nread a\r\n").map((call) => call.input)).toEqual([{ command: "ls" }, { path: "a" }]);
  });
});

test("the closing sentence names the number of calls", () => {
  expect([0, 1, 2].map(closingSentence)).toEqual([
    "Done: I made 0 tool calls.",
    "Done: I made 1 tool call.",
    "Done: I made 2 tool calls.",
  ]);
});
