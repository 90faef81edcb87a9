import { describe, expect, test } from "vitest";
import { type AgentAction, decideStuck } from "./stuck";

const did = (input: string, output: string, ok = true): AgentAction => ({
  kind: "tool",
  name: "bash",
  input,
  output,
  ok,
});
const times = (n: number, ...actions: AgentAction[]) => Array.from({ length: n }, () => actions).flat();
const text: AgentAction = { kind: "text", text: "I will do it." };
const nudge: AgentAction = { kind: "nudge" };

describe("decideStuck", () => {
  test.each([
    ["the same call with the same result", times(3, did("ls", "a")), did("ls", "a"), "same_result"],
    ["the same call with the same error", times(2, did("ls", "no", false)), did("ls", "no", false), "same_error"],
    ["two calls in turn", [...times(2, did("a", "1"), did("b", "2")), did("a", "1")], did("b", "2"), "alternating"],
    ["answers without a call", times(2, text), text, "monologue"],
  ])("%s: free until the last of the pattern, then a nudge, then a question", (_name, before, last, pattern) => {
    expect(decideStuck(before)).toEqual({ kind: "free" });
    expect(decideStuck([...before, last])).toMatchObject({ kind: "nudge", pattern });
    expect(decideStuck([...before, last, nudge])).toEqual({ kind: "free" });
    expect(decideStuck([...before, last, nudge, ...before])).toEqual({ kind: "free" });
    expect(decideStuck([...before, last, nudge, ...before, last])).toMatchObject({ kind: "ask", pattern });
  });

  test("progress in between is no circle", () => {
    expect(decideStuck([...times(3, did("ls", "a")), did("ls", "b")])).toEqual({ kind: "free" });
    expect(decideStuck(times(3, did("a", "1"), did("b", "2"), did("c", "3")))).toEqual({ kind: "free" });
    expect(decideStuck([...times(2, text), did("ls", "a"), text])).toEqual({ kind: "free" });
  });

  test("a message of a person starts the count anew, also after a nudge", () => {
    const stuck = times(4, did("ls", "a"));
    expect(decideStuck([...stuck, nudge, ...stuck, { kind: "person" }])).toEqual({ kind: "free" });
    expect(decideStuck([...stuck, nudge, ...stuck, { kind: "person" }, ...stuck])).toMatchObject({ kind: "nudge" });
  });

  test("nothing done is free", () => {
    expect(decideStuck([])).toEqual({ kind: "free" });
  });
});
