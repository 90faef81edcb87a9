import { APICallError, type LanguageModelV4, type LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { UIMessage, UIMessageChunk } from "ai";
import { describe, expect, test } from "vitest";
import { createDemoModel } from "@/lib/model/demo";
import { type ModelStep, runModelStep } from "./run-step";
import { TOOLBOX } from "./toolbox";

const user = (text: string): UIMessage => ({ id: "u", role: "user", parts: [{ type: "text", text }] });

async function run(
  model: LanguageModelV4,
  messages: UIMessage[],
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelStep & { chunks: UIMessageChunk[] }> {
  const chunks: UIMessageChunk[] = [];
  const step = await runModelStep({
    model,
    instructions: "Work.",
    messages,
    tools: TOOLBOX,
    signal,
    onChunk: (chunk) => chunks.push(chunk),
    cacheKey: "chat",
  });
  return { ...step, chunks };
}

/** What every provider takes back in a history. */
const OWN_ID = /^[a-zA-Z0-9]{9}$/;

const USAGE = {
  inputTokens: { total: 10, noCache: 6, cacheRead: 4, cacheWrite: 0 },
  outputTokens: { total: 5, text: 3, reasoning: 2 },
};
const finish = (
  unified: "stop" | "tool-calls" | "length" | "content-filter" | "interrupted",
): LanguageModelV4StreamPart => ({
  type: "finish",
  finishReason: { unified, raw: undefined },
  usage: USAGE,
});
const text = (words: string): LanguageModelV4StreamPart[] => [
  { type: "text-start", id: "1" },
  { type: "text-delta", id: "1", delta: words },
];

/** A model whose stream is the given parts; a thrown value at the end breaks the stream. */
function scripted(parts: readonly LanguageModelV4StreamPart[], breaksWith?: unknown): LanguageModelV4 {
  return {
    ...createDemoModel(),
    doStream: async () => ({
      stream: new ReadableStream({
        start(controller) {
          controller.enqueue({ type: "stream-start", warnings: [] });
          for (const part of parts) controller.enqueue(part);
        },
        pull(controller) {
          if (breaksWith === undefined) controller.close();
          else controller.error(breaksWith);
        },
      }),
    }),
  };
}

/** The way the turn goes: runs step after step and settles each call with an output. */
async function answer(message: string): Promise<ModelStep[]> {
  const assistant: UIMessage = { id: "a", role: "assistant", parts: [] };
  const steps: ModelStep[] = [];
  while (steps.length < 20) {
    const step = await run(
      createDemoModel(),
      assistant.parts.length > 0 ? [user(message), assistant] : [user(message)],
    );
    steps.push(step);
    const settled = step.parts.map((part) =>
      "toolCallId" in part && part.state === "input-available"
        ? ({ ...part, state: "output-available", output: { done: true } } as UIMessage["parts"][number])
        : part,
    );
    assistant.parts.push(...settled);
    if (step.failure !== null || step.toolCalls.length === 0) return steps;
  }
  throw new Error("the answer does not end");
}

const textOf = (steps: readonly ModelStep[]) =>
  steps
    .flatMap((step) => step.parts)
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("");

describe("with the demo model", () => {
  test("the lines of a message become steps in order, and the closing sentence counts the calls", async () => {
    const steps = await answer("say hello\n$ echo one\nthink so\nwrite a.txt: x\\ny\nsay bye");
    expect(steps.map((step) => step.toolCalls.map(({ toolName, input }) => ({ toolName, input })))).toEqual([
      [{ toolName: "bash", input: { command: "echo one" } }],
      [{ toolName: "write", input: { path: "a.txt", content: "x\ny" } }],
      [],
    ]);
    expect(steps.map((step) => step.finishReason)).toEqual(["tool-calls", "tool-calls", "stop"]);
    expect(steps[0]?.parts.map((part) => part.type)).toEqual(["step-start", "text", "tool-bash"]);
    expect(steps[1]?.parts[1]).toMatchObject({ type: "reasoning", text: "so", state: "done" });
    expect(textOf(steps)).toBe("hellobye\nDone: I made 2 tool calls.");
    expect(steps[2]?.usage?.outputTokens).toBeGreaterThan(0);
  });

  test("the closing sentence starts on a new line even when the last step says nothing else", async () => {
    expect(textOf(await answer("say hello\n$ ls"))).toBe("hello\nDone: I made 1 tool call.");
    expect(textOf(await answer("$ ls"))).toBe("Done: I made 1 tool call.");
  });

  test("slow streams each word in time and the words joined are exact", async () => {
    const startedAt = performance.now();
    const [step] = await answer("slow 4");
    expect(performance.now() - startedAt).toBeGreaterThan(290);
    expect(step && textOf([step])).toBe("w1 w2 w3 w4\nDone: I made 0 tool calls.");
  });

  test("each call has an id of its own, also when the same step runs again", async () => {
    const ids = new Set<string>();
    for (let n = 0; n < 3; n++) {
      const step = await run(createDemoModel(), [user("$ ls")]);
      ids.add(step.toolCalls[0]?.toolCallId ?? "none");
    }
    expect(ids.size).toBe(3);
  });

  test.each([
    ["fail overloaded", { class: "overloaded", retryable: true }],
    ["fail rate-limit", { class: "rate_limit", retryable: true, retryAfterMs: 1000 }],
    ["fail auth", { class: "auth", retryable: false }],
    ["fail cut", { class: "cut", retryable: true }],
    ["say before\nfail overloaded", { class: "overloaded", retryable: true }],
    ["say before\nfail cut", { class: "cut", retryable: true }],
  ])("%s fails at every attempt with its class", async (message, failure) => {
    for (let attempt = 0; attempt < 2; attempt++) {
      const step = await run(createDemoModel(), [user(message)]);
      expect(step.failure).toMatchObject(failure);
      expect(step.toolCalls).toEqual([]);
      if (message.startsWith("say")) expect(textOf([step])).toContain("before");
    }
  });

  test("a stop ends the step at once, keeps what was said and says stopped", async () => {
    const stop = new AbortController();
    const chunks: UIMessageChunk[] = [];
    const startedAt = performance.now();
    const step = await runModelStep({
      model: createDemoModel(),
      instructions: "",
      messages: [user("slow 600")],
      tools: TOOLBOX,
      signal: stop.signal,
      onChunk: (chunk) => {
        chunks.push(chunk);
        if (chunk.type === "text-delta" && chunk.delta.includes("w3")) stop.abort(new Error("stop"));
      },
      cacheKey: "chat",
    });
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(step.failure?.class).toBe("stopped");
    expect(step.parts).toEqual([{ type: "step-start" }, { type: "text", text: "w1 w2 w3", state: "done" }]);
  });

  test("a signal that fired before makes no call", async () => {
    const step = await run(createDemoModel(), [user("say hi")], AbortSignal.abort());
    expect(step).toMatchObject({ failure: { class: "stopped" }, parts: [], chunks: [] });
  });

  test("an incomplete call of an interrupted answer is left out of the history and does not count", async () => {
    const dangling: UIMessage = {
      id: "a",
      role: "assistant",
      parts: [{ type: "step-start" }, { type: "tool-bash", toolCallId: "x", state: "input-available", input: {} }],
    };
    const step = await run(createDemoModel(), [user("$ ls"), dangling]);
    expect(step.toolCalls).toHaveLength(1);
  });
});

describe("with a provider that misbehaves", () => {
  test.each([
    ["a length limit", scripted([...text("half"), finish("length")]), { class: "length", retryable: false }],
    ["a content filter", scripted([...text("half"), finish("content-filter")]), { class: "content_filter" }],
    ["a clean end without a finish", scripted([...text("half")]), { class: "no_finish", retryable: true }],
    ["an interrupted finish", scripted([...text("half"), finish("interrupted")]), { class: "no_finish" }],
    [
      "a cut in mid stream",
      scripted(
        text("half"),
        new APICallError({ message: "x", url: "u", requestBodyValues: {}, statusCode: 200, isRetryable: true }),
      ),
      { class: "cut", retryable: true },
    ],
    [
      "a broken socket",
      scripted(text("half"), Object.assign(new Error("x"), { code: "ECONNRESET" })),
      { class: "cut" },
    ],
  ])("%s fails the step, and what was said is kept as done", async (_name, model, failure) => {
    const step = await run(model, [user("hi")]);
    expect(step.failure).toMatchObject(failure);
    expect(step.parts).toEqual([{ type: "step-start" }, { type: "text", text: "half", state: "done" }]);
  });

  test("an empty stream is no answer", async () => {
    const step = await run(scripted([]), [user("hi")]);
    expect(step.failure?.retryable).toBe(true);
    expect(step.parts).toEqual([]);
  });

  test("usage tells cache and reasoning apart", async () => {
    const step = await run(scripted([...text("x"), { type: "text-end", id: "1" }, finish("stop")]), [user("hi")]);
    expect(step.failure).toBeNull();
    expect(step.usage).toEqual({
      inputTokens: 10,
      outputTokens: 5,
      cacheReadTokens: 4,
      cacheWriteTokens: 0,
      reasoningTokens: 2,
    });
  });

  test("counts that cannot be are left aside", async () => {
    const usage = { ...USAGE, inputTokens: { ...USAGE.inputTokens, total: 3e12 } };
    const end: LanguageModelV4StreamPart = { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage };
    const step = await run(scripted([...text("x"), { type: "text-end", id: "1" }, end]), [user("hi")]);
    expect([step.failure, step.usage]).toEqual([null, null]);
  });

  test.each([
    ["JSON that cannot be read", "bash", '{"command": "ls', "not valid JSON", { unreadable: '{"command": "ls' }],
    [
      "a tool that nobody has",
      "browse",
      '{"url":"x"}',
      "There is no tool named browse. The tools are: bash",
      { url: "x" },
    ],
    ["an input of another shape", "bash", '{"cmd":"ls"}', "command", { cmd: "ls" }],
  ])(
    "%s becomes an invalid call with words for the model, settled in the parts",
    async (_n, toolName, input, words, kept) => {
      const step = await run(
        scripted([{ type: "tool-call", toolCallId: "c1", toolName, input }, finish("tool-calls")]),
        [user("hi")],
      );
      expect(step.failure).toBeNull();
      expect(step.toolCalls).toEqual([
        {
          toolCallId: expect.stringMatching(OWN_ID),
          toolName,
          input: kept,
          invalid: expect.objectContaining({ words: expect.stringContaining(words) }),
        },
      ]);
      expect(step.parts[1]).toMatchObject({ type: `tool-${toolName}`, state: "output-error", input: kept });
      expect(step.chunks.filter((chunk) => chunk.type.startsWith("tool-"))).toHaveLength(1);
      const next = await run(createDemoModel(), [user("$ ls"), { id: "a", role: "assistant", parts: step.parts }]);
      expect(next.failure).toBeNull();
    },
  );

  test("a provider that counts its calls anew in each answer cannot name our calls", async () => {
    const call = (id: string): LanguageModelV4StreamPart[] => [
      { type: "tool-input-start", id, toolName: "bash" },
      { type: "tool-input-delta", id, delta: '{"command":"ls"}' },
      { type: "tool-input-end", id },
      { type: "tool-call", toolCallId: id, toolName: "bash", input: '{"command":"ls"}' },
    ];
    const model = () => scripted([...call("call_0"), ...call("call_1"), finish("tool-calls")]);
    const steps = [await run(model(), [user("hi")]), await run(model(), [user("hi")])];
    const ids = steps.flatMap((step) => step.toolCalls.map(({ toolCallId }) => toolCallId));
    expect(new Set(ids).size).toBe(4);
    for (const step of steps) {
      const own = step.toolCalls.map(({ toolCallId }) => toolCallId);
      for (const id of own) expect(id).toMatch(OWN_ID);
      const named = (list: readonly object[]) => list.flatMap((one) => ("toolCallId" in one ? [one.toolCallId] : []));
      expect(named(step.parts)).toEqual(own);
      expect(new Set(named(step.chunks))).toEqual(new Set(own));
      expect(step.chunks.map(({ type }) => type).filter((type) => type === "tool-input-delta")).toHaveLength(2);
    }
  });

  test("a character that rows cannot hold is replaced in text, and refuses a call", async () => {
    const input = JSON.stringify({ path: "a", content: "x\0y" });
    const call: LanguageModelV4StreamPart = { type: "tool-call", toolCallId: "c1", toolName: "write", input };
    const step = await run(scripted([...text("a\0b"), { type: "text-end", id: "1" }, call, finish("tool-calls")]), [
      user("hi"),
    ]);
    expect(JSON.stringify(step)).not.toContain("\\u0000");
    expect(textOf([step])).toBe("a\u2400b");
    expect(step.toolCalls[0]?.invalid?.words).toContain("NUL");
  });

  test("a call of a step that failed is not handed out, and its part does not wait for a result", async () => {
    const call: LanguageModelV4StreamPart = {
      type: "tool-call",
      toolCallId: "c1",
      toolName: "bash",
      input: '{"command":"ls"}',
    };
    const step = await run(scripted([call, finish("length")]), [user("hi")]);
    expect(step.toolCalls).toEqual([]);
    expect(step.parts[1]).toMatchObject({ type: "tool-bash", state: "output-error" });
  });

  test("20,000 deltas fold in linear time", async () => {
    const deltas = Array.from(
      { length: 20_000 },
      (): LanguageModelV4StreamPart => ({ type: "text-delta", id: "1", delta: "ab " }),
    );
    const startedAt = performance.now();
    const step = await run(scripted([...text(""), ...deltas, { type: "text-end", id: "1" }, finish("stop")]), [
      user("hi"),
    ]);
    expect(textOf([step])).toHaveLength(60_000);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
