import { describe, expect, test } from "vitest";
import { patchChat } from "@/lib/chat/service";
import { stopTurn } from "@/lib/chat/stop";
import { must, refusal } from "@/lib/testing/scene";
import { readDailyUsage } from "@/lib/usage/service";
import type { Answer } from "@/tests/fixtures/model-server/reply";
import {
  asked,
  bash,
  CLAUDE,
  DONE,
  enterProviders,
  events,
  KEY,
  LOCAL,
  noticeNames,
  notices,
  STEP_USD,
  scene,
  server,
  turnRow,
  until,
  usageOf,
} from "@/tests/fixtures/provider-scene";

enterProviders();

describe("a turn on a real provider", () => {
  test("calls tools, ends, and what it used is told and summed per step, turn, session and day", async () => {
    server.respond((_request, count) => (count === 1 ? bash("echo one") : DONE));
    const session = await scene.create({ prompt: "Work.", title: "T", model: CLAUDE });
    await until(session, "completed");
    const told = await events(session, "usage");
    expect(told).toHaveLength(2);
    expect(told[1]).toMatchObject({
      model: CLAUDE,
      estimated: false,
      costUsd: expect.closeTo(STEP_USD, 9),
      turn: { calls: 2, inputTokens: 2000, outputTokens: 200 },
      context: { usedTokens: 1100, windowTokens: 200_000 },
    });
    expect((await turnRow(session)).cost_usd).toBeCloseTo(2 * STEP_USD, 9);
    const usage = await usageOf(session);
    expect(usage.total).toMatchObject({
      calls: 2,
      costUsd: expect.closeTo(2 * STEP_USD, 9),
      estimated: 0,
      unpriced: 0,
    });
    expect(usage.turns).toHaveLength(1);
    const days = must(await readDailyUsage(scene.deps, scene.deps.userId, 1));
    expect(days.days).toHaveLength(1);
    expect(days.total.calls).toBeGreaterThanOrEqual(2);
  });

  test("a provider that gives every answer's call the same id gets each of them made once", async () => {
    const again: Answer = { calls: [{ id: "call_0", name: "bash", arguments: '{"command":"echo one"}' }] };
    let answers = 0;
    server.respond((request) => (request.body.stream === true && ++answers % 3 !== 0 ? again : DONE));
    const session = await scene.create({ prompt: "Work.", title: "T", model: LOCAL });
    await until(session, "completed");
    must(await scene.send(session, "Once more."));
    await until(session, "completed");
    const calls = await scene.deps.query<{ id: string; ok: boolean }>(
      "SELECT c.id, c.ok FROM tool_calls c JOIN turns t ON t.id = c.turn_id WHERE t.chat_id = $1",
      [session.chatId],
    );
    expect(new Set(calls.map(({ id }) => id)).size).toBe(4);
    expect(calls.every(({ ok }) => ok)).toBe(true);
    expect(answers).toBe(6);
  });

  test("the model is switched in mid-chat, and the other provider gets the whole conversation", async () => {
    server.respond({ text: "From Claude.", reasoning: "Thinking hard.", usage: { input: 1000, output: 100 } });
    const session = await scene.create({ prompt: "First.", title: "T", model: CLAUDE });
    await until(session, "completed");
    must(await patchChat(scene.deps, scene.deps.userId, session.chatId, { model: LOCAL }));
    server.respond(DONE);
    must(await scene.send(session, "Second."));
    await until(session, "completed");
    await scene.driver.settle();
    const request = asked("local-model").at(-1);
    expect(request?.protocol).toBe("compatible");
    expect(request?.text).toContain("From Claude.");
    expect(request?.text).not.toContain("Thinking hard.");
    const usage = await usageOf(session);
    expect(usage.byModel.map(({ model }) => model)).toEqual([CLAUDE, LOCAL]);
    // A price that nobody knows is not guessed.
    expect(usage.byModel[1]).toMatchObject({ costUsd: null, unpriced: usage.byModel[1]?.calls });
    expect(usage.total.costUsd).toBeCloseTo(STEP_USD, 9);
    expect(refusal(await patchChat(scene.deps, scene.deps.userId, session.chatId, { model: "google/x" }))).toBe(
      "unprocessable",
    );
  });
});

describe("failures", () => {
  test("a rate limit is waited out as long as the provider asks, visibly, and costs nothing", async () => {
    server.respond((_request, count) => (count === 1 ? { status: 429, headers: { "retry-after": "1" } } : DONE));
    const session = await scene.create({ prompt: "Work.", title: "T", model: CLAUDE });
    await until(session, "completed");
    expect((await notices(session))[0]).toMatchObject({
      name: "retrying",
      data: { class: "rate_limit", try: 2, retryInMs: 1_000 },
    });
    expect((await turnRow(session)).cost_usd).toBeCloseTo(STEP_USD, 9);
  });

  test("a cut in mid-stream starts the step afresh, and what the broken try cost is counted", async () => {
    server.respond((_request, count) => (count === 1 ? { text: "Half of an answer", ending: "cut" } : DONE));
    const session = await scene.create({ prompt: "Work.", title: "T", model: CLAUDE });
    await until(session, "completed");
    expect(await noticeNames(session)).toEqual(["retrying"]);
    expect(await events(session, "reset-step")).toHaveLength(1);
    const [stored] = await scene.deps.query<{ parts: string }>(
      "SELECT string_agg(s.parts::text, '') AS parts FROM turn_steps s JOIN turns t ON t.id = s.turn_id WHERE t.chat_id = $1",
      [session.chatId],
    );
    expect(stored?.parts).not.toContain("Half of");
    const usage = await usageOf(session);
    expect(usage.total).toMatchObject({ calls: 2, estimated: 1 });
    expect(usage.total.costUsd).toBeGreaterThan(STEP_USD);
  });

  test.each([
    ["auth", { status: 401, body: { error: { message: `bad key ${KEY}` } } }, /Check the API key in Settings/],
    ["quota", { status: 402 }, /Add credit/],
    ["unknown_model", { status: 404 }, /Choose another model/],
    ["length", { text: "Half", finish: "length" as const }, /go on/],
    ["content_filter", { text: "Half", finish: "filter" as const }, /other words/],
  ])("%s fails the turn at once, with words that say what to do", async (name, reply, words) => {
    server.respond(reply);
    const session = await scene.create({ prompt: "Work.", title: "T", model: CLAUDE });
    await until(session, "failed");
    expect(asked()).toHaveLength(1);
    expect((await notices(session)).at(-1)).toMatchObject({ name: "turn_failed", data: { class: name } });
    expect((await turnRow(session)).reason).toMatch(words);
  });

  test("an overloaded provider is given up after five tries", async () => {
    server.respond({ status: 529 });
    const session = await scene.create({ prompt: "Work.", title: "T", model: CLAUDE });
    await until(session, "failed");
    expect(asked()).toHaveLength(5);
    expect(await noticeNames(session)).toEqual(["retrying", "retrying", "retrying", "retrying", "turn_failed"]);
    expect((await usageOf(session)).total.costUsd ?? 0).toBe(0);
  });

  test("a bad call is told to the model with its class, and the turn goes on", async () => {
    server.respond((_request, count) =>
      count === 1 ? { calls: [{ id: "c1", name: "bash", arguments: '{"command": "l' }] } : DONE,
    );
    const session = await scene.create({ prompt: "Work.", title: "T", model: CLAUDE });
    await until(session, "completed");
    const [observation] = await events(session, "run");
    expect(observation).toBeDefined();
    expect(asked().at(-1)?.text).toContain("not valid JSON");
  });

  test("a step that is stopped keeps what it cost", async () => {
    server.respond(async () => ({ text: "word ".repeat(2_000) }));
    const session = await scene.create({ prompt: "Work.", title: "T", model: CLAUDE });
    await scene.driver.settle(async () => (await events(session, "chunk")).length > 3);
    must(await stopTurn(scene.deps, scene.deps.userId, session.chatId));
    await until(session, "stopped");
    const usage = await usageOf(session);
    expect(usage.total).toMatchObject({ calls: 1, estimated: 1 });
    expect(usage.total.outputTokens).toBeGreaterThan(3);
    expect((await turnRow(session)).cost_usd).toBeCloseTo(usage.total.costUsd ?? -1, 9);
  });

  test("a process that dies in a call leaves what it cost, and the next one is counted beside it", async () => {
    const back = Promise.withResolvers<Answer>();
    server.respond((_request, count) => (count === 1 ? back.promise : DONE));
    const session = await scene.create({ prompt: "Work.", title: "T", model: CLAUDE });
    await scene.driver.settle(async () => asked().length === 1);
    await scene.driver.crash();
    await until(session, "completed");
    back.resolve(DONE);
    await scene.driver.drain();
    const rows = await scene.deps.query<{ outcome: string; estimated: boolean }>(
      "SELECT outcome, estimated FROM model_calls WHERE session_id = $1 ORDER BY started_at",
      [session.id],
    );
    expect(rows).toEqual([
      { outcome: "lost", estimated: true },
      { outcome: "done", estimated: false },
    ]);
  });
});

/** The calls of a session, oldest first. */
