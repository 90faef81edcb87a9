import { expect, test } from "vitest";
import type { ChatMessage } from "./contract";
import { assembleMessages, modelHistory } from "./history";

const at = new Date("2026-01-01T00:00:00Z");
const user = (id: string, text: string, metadata: ChatMessage["metadata"] = {}) => ({
  id,
  role: "user" as const,
  turnId: "t1",
  status: "delivered" as const,
  parts: [{ type: "text" as const, text }],
  metadata,
  createdAt: at,
});
const answer = {
  id: "msg_t1",
  role: "assistant" as const,
  turnId: "t1",
  status: "delivered" as const,
  parts: [],
  metadata: {},
  createdAt: at,
};
const BY_A = { model: "a/one", finishReason: "stop" };
const callPart = {
  type: "tool-bash",
  toolCallId: "c1",
  state: "input-available",
  input: { command: "ls" },
} as ChatMessage["parts"][number];

test("an answer is put together from its steps, with the outcome of each call", () => {
  const steps = [
    { ...BY_A, turnId: "t1", step: 0, parts: [{ type: "step-start" as const }, callPart] },
    { ...BY_A, turnId: "t1", step: 1, parts: [{ type: "text" as const, text: "done" }] },
  ];
  const calls = [{ turnId: "t1", id: "c1", state: "done" as const, ok: true, output: { exitCode: 0 } }];
  const [, message] = assembleMessages([user("m1", "hi"), answer], steps, calls);
  expect(message?.parts).toEqual([
    { type: "step-start" },
    {
      type: "tool-bash",
      toolCallId: "c1",
      input: { command: "ls" },
      state: "output-available",
      output: { exitCode: 0 },
    },
    { type: "text", text: "done" },
  ]);
});

test("a call that still runs stays without an outcome", () => {
  const steps = [{ ...BY_A, turnId: "t1", step: 0, parts: [callPart] }];
  const [message] = assembleMessages([answer], steps, [
    { turnId: "t1", id: "c1", state: "running", ok: null, output: null },
  ]);
  expect(message?.parts[0]).toMatchObject({ state: "input-available" });
});

test("the same call id in another turn does not lend its outcome", () => {
  const steps = [{ ...BY_A, turnId: "t1", step: 0, parts: [callPart] }];
  const [message] = assembleMessages([answer], steps, [
    { turnId: "t2", id: "c1", state: "done", ok: true, output: { exitCode: 1 } },
  ]);
  expect(message?.parts[0]).toMatchObject({ state: "input-available" });
});

test("a message that answered a question is not told to the model a second time", () => {
  const messages = assembleMessages([user("m1", "do it"), answer, user("m2", "blue", { answers: "c1" })], [], []);
  expect(modelHistory(messages).map((message) => message.id)).toEqual(["m1", "msg_t1"]);
});

test("a message that let a paused turn go on stands in the middle of the answer, where it was said", () => {
  const step = (number: number) => ({
    ...BY_A,
    turnId: "t1",
    step: number,
    parts: [{ type: "step-start" as const }, { type: "text" as const, text: `step ${number}` }],
  });
  const rows = [user("m1", "begin"), answer, user("m2", "go on", { afterStep: 1 })];
  const texts = (steps: number[]) =>
    modelHistory(assembleMessages(rows, steps.map(step), [])).map((message) => [
      message.role,
      message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(),
    ]);
  const before = [
    ["user", "begin"],
    ["assistant", "step 0"],
    ["user", "go on"],
  ];
  expect(texts([0])).toEqual(before);
  expect(texts([0, 1])).toEqual([...before, ["assistant", "step 1"]]);
});

test("a model gets its own words whole, and those of another one or of a broken step without what only they understand", () => {
  const parts = [
    { type: "step-start" as const },
    { type: "reasoning" as const, text: "hm", providerMetadata: { a: { signature: "s" } } },
    { type: "text" as const, text: "done", providerMetadata: { a: { itemId: "i" } } },
    { ...callPart, callProviderMetadata: { a: { thought: "t" } } } as ChatMessage["parts"][number],
  ];
  const calls = [{ turnId: "t1", id: "c1", state: "done" as const, ok: true, output: { exitCode: 0 } }];
  const shownTo = (model: string, finishReason = "tool-calls") =>
    assembleMessages([answer], [{ turnId: "t1", step: 0, parts, model: "a/one", finishReason }], calls, model)[0]
      ?.parts;
  expect(shownTo("a/one")?.[1]).toEqual(parts[1]);
  expect(shownTo("a/one")?.[3]).toMatchObject({
    callProviderMetadata: { a: { thought: "t" } },
    output: { exitCode: 0 },
  });
  for (const other of [shownTo("b/two"), shownTo("a/one", "stop-requested")]) {
    expect(other?.map((part) => part.type)).toEqual(["step-start", "text", "tool-bash"]);
    expect(JSON.stringify(other)).not.toMatch(/etadata|signature/);
  }
});
