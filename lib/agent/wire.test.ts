import type { UIMessage } from "ai";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ProviderId } from "@/lib/model/contract";
import { createLanguageModel } from "@/lib/model/provider";
import type { Protocol, Reply } from "@/tests/fixtures/model-server/reply";
import { baseUrlOf, type ModelServer, startModelServer } from "@/tests/fixtures/model-server/server";
import { type ModelStep, runModelStep } from "./run-step";
import { TOOLBOX } from "./toolbox";

/** The real provider packages against a server that speaks their protocols; docs/models.md names these tests. */

const PROVIDERS: readonly Protocol[] = ["anthropic", "openai", "google", "gateway", "compatible"];
const KEY = "sk-canary-secret";
let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
  server.badKeys.clear();
});

const user = (text: string): UIMessage => ({ id: "u", role: "user", parts: [{ type: "text", text }] });

function ask(provider: ProviderId & Protocol, reply: Reply, more: { messages?: UIMessage[]; stallMs?: number } = {}) {
  server.respond(reply);
  const access = { provider, apiKey: KEY, baseUrl: baseUrlOf(server, provider), revision: "1" };
  return runModelStep({
    model: createLanguageModel(access, "test-model"),
    instructions: "Work.",
    messages: more.messages ?? [user("hi")],
    tools: TOOLBOX,
    signal: new AbortController().signal,
    onChunk: () => {},
    cacheKey: "chat-1",
    ...(more.stallMs === undefined ? {} : { stallMs: more.stallMs }),
  });
}

const textOf = (step: ModelStep) => step.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
const call = (args: string, name = "bash") => ({ id: "call_1", name, arguments: args });

describe.each(PROVIDERS)("%s", (provider) => {
  test("an answer streams with its text, its tool call and what it used", async () => {
    const step = await ask(provider, {
      text: "I will look.",
      calls: [call('{"command":"ls"}')],
      usage: { input: 120, output: 30, cacheRead: 80 },
    });
    expect(step.failure).toBeNull();
    expect(textOf(step)).toBe("I will look.");
    expect(step.toolCalls).toMatchObject([{ toolName: "bash", input: { command: "ls" } }]);
    expect(step.usage).toMatchObject({ inputTokens: 120, outputTokens: 30, cacheReadTokens: 80 });
  });

  test("the outcome of a call goes back, and the next answer ends the turn", async () => {
    const first = await ask(provider, { calls: [call('{"command":"ls"}')] });
    const parts = first.parts.map((part) =>
      "toolCallId" in part
        ? ({ ...part, state: "output-available", output: { stdout: "canary.txt" } } as typeof part)
        : part,
    );
    const step = await ask(
      provider,
      { text: "One file." },
      { messages: [user("hi"), { id: "a", role: "assistant", parts }] },
    );
    expect(step.failure).toBeNull();
    expect(step.finishReason).toBe("stop");
    expect(server.requests.at(-1)?.text).toContain("canary.txt");
  });

  test("the same id in every answer: each call keeps one of its own, which the provider sees again", async () => {
    const messages = [user("hi")];
    const ids: string[] = [];
    for (const stdout of ["canary-one", "canary-two"]) {
      const { parts, toolCalls } = await ask(provider, { calls: [call('{"command":"ls"}')] }, { messages });
      ids.push(...toolCalls.map(({ toolCallId }) => toolCallId));
      const settled = parts.map((part) =>
        "toolCallId" in part ? ({ ...part, state: "output-available", output: { stdout } } as typeof part) : part,
      );
      messages.push({ id: stdout, role: "assistant", parts: settled });
    }
    await ask(provider, { text: "Done." }, { messages });
    const { text } = server.requests.at(-1) ?? { text: "" };
    expect(new Set(ids).size).toBe(2);
    // Once with the call and once with its outcome.
    for (const id of ids) expect(text.split(`"${id}"`).length - 1).toBe(2);
    expect(text).not.toContain("call_1");
  });

  test.each<[string, Reply, object]>([
    [
      "429 with Retry-After",
      { status: 429, headers: { "retry-after": "7" } },
      { class: "rate_limit", retryable: true, retryAfterMs: 7_000 },
    ],
    ["503", { status: 503 }, { class: "overloaded", retryable: true }],
    ["401", { status: 401, body: { error: { message: `bad key ${KEY}` } } }, { class: "auth", retryable: false }],
    ["402", { status: 402 }, { class: "quota", retryable: false }],
    ["404", { status: 404 }, { class: "unknown_model", retryable: false }],
    [
      "a prompt that is too long",
      {
        status: 400,
        body: {
          error: { message: "prompt is too long: 210000 tokens > 200000 maximum", type: "invalid_request_error" },
        },
      },
      { class: "context_too_long", retryable: false },
    ],
    ["an answer at the output limit", { text: "half of", finish: "length" }, { class: "length", retryable: false }],
    ["a content filter", { text: "half of", finish: "filter" }, { class: "content_filter", retryable: false }],
    ["a socket that is cut in mid-stream", { text: "half of it", ending: "cut" }, { class: "cut", retryable: true }],
    [
      "an error event in mid-stream",
      { text: "half of it", ending: "overloaded" },
      { class: "overloaded", retryable: true },
    ],
  ])("%s", async (_name, reply, failure) => {
    const step = await ask(provider, reply);
    expect(step.failure).toMatchObject(failure);
    expect(JSON.stringify(step)).not.toContain(KEY);
  });

  test.each<[string, Reply]>([
    ["a stream that ends without a finish", { text: "half of it", finish: "none" }],
    ["garbage", { garbage: "<html>Welcome to the proxy</html>" }],
    ["an empty answer", { garbage: "" }],
  ])("%s is tried again and never taken for an answer", async (_name, reply) => {
    const step = await ask(provider, reply);
    expect(["no_finish", "garbage"]).toContain(step.failure?.class);
    expect(step.failure?.retryable).toBe(true);
  });

  test("a provider that hangs counts as cut", async () => {
    const step = await ask(provider, { hang: true }, { stallMs: 200 });
    expect(step.failure).toMatchObject({ class: "cut", retryable: true });
  });

  test("a call of a tool that does not exist is told to the model, and is no failure of the step", async () => {
    const step = await ask(provider, { calls: [call('{"url":"x"}', "browse")] });
    expect(step.failure).toBeNull();
    expect(step.toolCalls[0]?.invalid).toMatchObject({ class: "unknown_tool" });
  });

  test("a call whose arguments do not fit is told to the model", async () => {
    const step = await ask(provider, { calls: [call('{"cmd":"ls"}')] });
    expect(step.toolCalls[0]?.invalid).toMatchObject({ class: "bad_arguments" });
  });
});

test.each(PROVIDERS.filter((provider) => provider !== "google"))(
  "%s: arguments that are no JSON are told to the model",
  async (provider) => {
    const step = await ask(provider, { calls: [call('{"command": "l')] });
    expect(step.failure).toBeNull();
    expect(step.toolCalls[0]?.invalid).toMatchObject({
      class: "bad_arguments",
      words: expect.stringContaining("not valid JSON"),
    });
  },
);

test("Anthropic's cache is asked for: instructions and the newest messages carry a mark", async () => {
  await ask(
    "anthropic",
    { text: "ok" },
    { messages: [user("one"), { id: "a", role: "assistant", parts: [{ type: "text", text: "two" }] }, user("three")] },
  );
  const body = server.requests[0]?.body as {
    system: { cache_control?: unknown }[];
    messages: { content: { cache_control?: unknown }[] }[];
  };
  expect(body.system.at(-1)?.cache_control).toEqual({ type: "ephemeral" });
  expect(body.messages.map((message) => message.content.at(-1)?.cache_control !== undefined)).toEqual([
    false,
    true,
    true,
  ]);
});

test("OpenAI stores nothing of ours and is told which conversation it is", async () => {
  await ask("openai", { text: "ok" });
  expect(server.requests[0]?.body).toMatchObject({ store: false, prompt_cache_key: "chat-1" });
});

test("the key goes to the provider in a header and nowhere else", async () => {
  for (const provider of PROVIDERS) await ask(provider, { text: "ok" });
  for (const request of server.requests) {
    expect(JSON.stringify(request.headers)).toContain(KEY);
    expect(request.text).not.toContain(KEY);
  }
});
