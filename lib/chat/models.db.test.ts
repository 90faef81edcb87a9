import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sweepLostCalls } from "@/lib/chat/lost-calls";
import { patchChat } from "@/lib/chat/service";
import { stopTurn } from "@/lib/chat/stop";
import { touchSession } from "@/lib/chat/store";
import { appendEvents } from "@/lib/chat/stream-store";
import { parseEnv } from "@/lib/env";
import { createModelCatalog } from "@/lib/model/catalog";
import { lockSandbox } from "@/lib/sandbox/store";
import { patchSessionDetails } from "@/lib/session/service";
import { findOwnedSession } from "@/lib/session/store";
import { createTestDeps } from "@/lib/testing/deps";
import { must, refusal, Scene, type SceneSession } from "@/lib/testing/scene";
import { readDailyUsage, readSessionUsage } from "@/lib/usage/service";
import { violations } from "@/tests/crash/invariants";
import type { Answer, Reply } from "@/tests/fixtures/model-server/reply";
import { baseUrlOf, type ModelServer, startModelServer } from "@/tests/fixtures/model-server/server";
import { createTestDatabase, type TestDatabase } from "@/tests/harness/database";
import { waitFor } from "@/tests/harness/wait-for";

/** Whole turns with real provider packages against a server that speaks their protocols; docs/models.md names these tests. */

const KEY = "sk-canary-of-a-provider";
/** One pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=";
const CLAUDE = "anthropic/claude-sonnet-4-5";
const LOCAL = "compatible/local-model";

let database: TestDatabase;
let server: ModelServer;
let scene: Scene;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startModelServer();
  server.models.push("local-model");
  server.contextTokens = 20_000;
  const env = parseEnv({
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: baseUrlOf(server, "anthropic"),
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: baseUrlOf(server, "compatible"),
  });
  scene = new Scene(await createTestDeps(database.url, { models: createModelCatalog({ env: env.models }) }));
});
afterAll(async () => {
  expect(await violations(database.url, [KEY])).toEqual([]);
  expect(scene.deps.logged.join("\n")).not.toContain(KEY);
  await scene.deps.close();
  await server.close();
  await database.drop();
});
beforeEach(() => {
  server.requests.length = 0;
});

let ids = 0;
const bash = (command: string): Answer => ({
  calls: [{ id: `call_${++ids}`, name: "bash", arguments: JSON.stringify({ command }) }],
  usage: { input: 1000, output: 100 },
});
const DONE: Answer = { text: "Done.", usage: { input: 1000, output: 100 } };
/** What 1000 tokens in and 100 out cost at the published price of Claude Sonnet 4.5. */
const STEP_USD = (1000 * 3 + 100 * 15) / 1e6;

/** Questions of the agent: titles and summaries are asked for without a stream. */
const asked = (model = "claude-sonnet-4-5") =>
  server.requests.filter((request) => request.model === model && request.body.stream === true);
const askedSmall = () => server.requests.filter((request) => request.model === "claude-haiku-4-5");

async function notices(session: SceneSession): Promise<{ name: string; data: Record<string, unknown> }[]> {
  return scene.deps.query("SELECT name, data FROM chat_events WHERE chat_id = $1 AND kind = 'notice' ORDER BY seq", [
    session.chatId,
  ]);
}
const noticeNames = async (session: SceneSession) => (await notices(session)).map(({ name }) => name);

async function events(session: SceneSession, name: string): Promise<Record<string, unknown>[]> {
  const rows = await scene.deps.query<{ data: Record<string, unknown> }>(
    "SELECT data FROM chat_events WHERE chat_id = $1 AND name = $2 ORDER BY seq",
    [session.chatId, name],
  );
  return rows.map(({ data }) => data);
}

async function turnRow(session: SceneSession) {
  const [row] = await scene.deps.query<{
    state: string;
    reason: string | null;
    cost_usd: number | null;
    waiting: { kind: string } | null;
  }>("SELECT state, reason, cost_usd, waiting FROM turns WHERE chat_id = $1 ORDER BY created_at DESC LIMIT 1", [
    session.chatId,
  ]);
  if (!row) throw new Error("no turn");
  return row;
}

async function usageOf(session: SceneSession) {
  const row = await findOwnedSession(scene.deps.db, scene.deps.userId, session.id);
  if (!row) throw new Error("no session");
  return must(await readSessionUsage(scene.deps, row));
}

/** Waits until the newest turn is in a state, letting pauses between tries pass at once. */
async function until(session: SceneSession, state: string): Promise<void> {
  await scene.driver.settle(async () => {
    await scene.driver.hurry();
    return (await turnRow(session)).state === state;
  });
}

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
const callsOf = (session: SceneSession) =>
  scene.deps.query<{ purpose: string; outcome: string | null; output_tokens: number; cost_usd: number | null }>(
    "SELECT purpose, outcome, output_tokens, cost_usd FROM model_calls WHERE session_id = $1 ORDER BY started_at",
    [session.id],
  );

describe("calls that a dead process left open", () => {
  test("what a broken try said is not counted again for the try that was lost after it", async () => {
    const back = Promise.withResolvers<Answer>();
    const broken = "word ".repeat(400);
    server.respond((_request, count) =>
      count === 1 ? { text: broken, ending: "cut" } : count === 2 ? back.promise : DONE,
    );
    const session = await scene.create({ prompt: "Work.", title: "T", model: CLAUDE });
    await scene.driver.settle(async () => {
      await scene.driver.hurry();
      return asked().length === 2;
    });
    await scene.driver.crash();
    await until(session, "completed");
    back.resolve(DONE);
    await scene.driver.drain();
    const calls = await callsOf(session);
    expect(calls.map(({ outcome }) => outcome)).toEqual(["failed", "lost", "done"]);
    expect(calls[0]?.output_tokens).toBeGreaterThan(100);
    expect(calls[1]?.output_tokens).toBe(0);
  });
});

describe("calls that nobody comes back to", () => {
  test("a turn that is stopped after its process died in a call has that call in its cost", async () => {
    server.respond(async () => ({ text: "word ".repeat(2_000) }));
    const session = await scene.create({ prompt: "Work.", title: "T", model: CLAUDE });
    await scene.driver.settle(async () => (await events(session, "chunk")).length > 3);
    await scene.driver.crash();
    must(await stopTurn(scene.deps, scene.deps.userId, session.chatId));
    await until(session, "stopped");
    await scene.driver.drain();
    const [call, ...others] = await callsOf(session);
    expect(others).toEqual([]);
    expect(call?.outcome).toBe("lost");
    expect(call?.output_tokens).toBeGreaterThan(3);
    expect((await turnRow(session)).cost_usd).toBeCloseTo(call?.cost_usd ?? -1, 9);
  });

  test("a title that was lost is settled by the sweep, and a call of a turn that goes on is not", async () => {
    const back = Promise.withResolvers<Answer>();
    server.respond(() => back.promise);
    const session = await scene.create({ prompt: "look at the clock", model: CLAUDE });
    await scene.driver.settle(async () => asked().length === 1 && askedSmall().length === 1);
    await scene.deps.query("UPDATE model_calls SET started_at = started_at - interval '1 hour' WHERE session_id = $1", [
      session.id,
    ]);
    await sweepLostCalls(scene.deps);
    const outcomes = (await callsOf(session)).map(({ purpose, outcome }) => `${purpose} ${outcome}`);
    expect(outcomes.sort()).toEqual(["step null", "title lost"]);
    back.resolve(DONE);
    await until(session, "completed");
  });
});

describe("limits", () => {
  test("a turn pauses at its money limit, and goes on when the limit is raised in place", async () => {
    server.respond((_request, count) => (count <= 2 ? bash(`echo ${count}`) : DONE));
    const session = await scene.create({
      prompt: "Work.",
      title: "T",
      model: CLAUDE,
      limits: { maxCostUsd: STEP_USD * 1.5 },
    });
    await until(session, "waiting_for_user");
    expect((await turnRow(session)).waiting).toEqual({ kind: "money" });
    expect(asked()).toHaveLength(2);
    must(await patchSessionDetails(scene.deps, scene.deps.userId, session.id, { limits: { maxCostUsd: 1 } }));
    await until(session, "completed");
  });

  test("a session pauses at its own limits, and a message lets it go on", async () => {
    server.respond((_request, count) => (count === 1 ? bash("echo one") : DONE));
    const session = await scene.create({ prompt: "Work.", title: "T", model: CLAUDE, limits: { sessionMaxSteps: 1 } });
    await until(session, "waiting_for_user");
    expect((await turnRow(session)).waiting).toEqual({ kind: "session_steps" });
    must(await scene.send(session, "Go on."));
    await until(session, "completed");
    must(
      await patchSessionDetails(scene.deps, scene.deps.userId, session.id, { limits: { sessionMaxCostUsd: STEP_USD } }),
    );
    must(await scene.send(session, "More."));
    await until(session, "waiting_for_user");
    expect((await turnRow(session)).waiting).toEqual({ kind: "session_money" });
  });
});

describe("go on at the money limit of a session", () => {
  // The title costs nothing, so that the sums are those of the steps.
  const work = ({ model }: { model: string }, count: number): Reply =>
    model === "claude-haiku-4-5" ? { status: 400 } : bash(`echo ${count}`);
  const limitOf = async (session: SceneSession) => {
    const [row] = await scene.deps.query<{ usd: number }>(
      "SELECT session_max_cost_usd AS usd FROM sessions WHERE id = $1",
      [session.id],
    );
    return row?.usd ?? 0;
  };
  const waits = (session: SceneSession, calls: number) =>
    scene.driver.settle(async () => {
      await scene.driver.hurry();
      return asked().length === calls && (await turnRow(session)).waiting?.kind === "session_money";
    });

  test.each([
    ["what the person gave the session", null, 0.9 * STEP_USD],
    ["what one turn may use, if that is limited", 1.9 * STEP_USD, 1.9 * STEP_USD],
  ])("adds the same each time: %s", async (_name, maxCostUsd, by) => {
    server.respond(work);
    const session = await scene.create({
      prompt: "Work.",
      title: "T",
      model: CLAUDE,
      limits: { sessionMaxCostUsd: 0.9 * STEP_USD, ...(maxCostUsd === null ? {} : { maxCostUsd: 1 }) },
    });
    if (maxCostUsd !== null)
      await scene.deps.query("UPDATE sessions SET max_cost_usd = $2 WHERE id = $1", [session.id, maxCostUsd]);
    await waits(session, 1);
    const stepsEach = Math.round(by / STEP_USD);
    for (const round of [1, 2, 3]) {
      const made = 1 + (round - 1) * stepsEach;
      must(await scene.send(session, "Go on."));
      expect(await limitOf(session)).toBeCloseTo(made * STEP_USD + by, 9);
      await waits(session, made + stepsEach);
    }
    must(await stopTurn(scene.deps, scene.deps.userId, session.chatId));
  });

  test("begins anew from a figure that the person sets meanwhile", async () => {
    server.respond(work);
    const limits = { sessionMaxCostUsd: 0.9 * STEP_USD };
    const session = await scene.create({ prompt: "Work.", title: "T", model: CLAUDE, limits });
    await waits(session, 1);
    must(await scene.send(session, "Go on."));
    await waits(session, 2);
    must(
      await patchSessionDetails(scene.deps, scene.deps.userId, session.id, {
        limits: { sessionMaxCostUsd: 2.9 * STEP_USD },
      }),
    );
    await waits(session, 3);
    must(await scene.send(session, "Go on."));
    expect(await limitOf(session)).toBeCloseTo(5.9 * STEP_USD, 9);
    must(await stopTurn(scene.deps, scene.deps.userId, session.chatId));
    await until(session, "stopped");
  });
});

test("an agent that goes in circles is nudged once, then asks, and counts anew after an answer", async () => {
  server.respond(() => bash("echo same"));
  const session = await scene.create({ prompt: "Work.", title: "T", model: CLAUDE });
  await until(session, "waiting_for_user");
  expect((await turnRow(session)).waiting).toEqual({ kind: "stuck" });
  expect(await noticeNames(session)).toEqual(["stuck_nudge", "stuck"]);
  expect(asked()).toHaveLength(8);
  expect(asked().filter((request) => request.text.includes("# Notice"))).toHaveLength(1);
  server.respond(DONE);
  must(await scene.send(session, "Try another way."));
  await until(session, "completed");
});

describe("condensing", () => {
  test("a conversation over 80 % of the window is condensed in its stages, and the messages stay readable", async () => {
    let steps = 0;
    server.respond((request) => {
      if (request.body.stream !== true) return { text: "SUMMARY-OF-THE-MIDDLE" };
      steps += 1;
      const usage = { input: Math.ceil(request.text.length / 4), output: 100 };
      return steps <= 20 ? { ...bash(`echo ${steps} ${"x".repeat(1_500)}`), usage } : { ...DONE, usage };
    });
    const session = await scene.create({ prompt: "The task.", title: "T", model: LOCAL });
    await until(session, "completed");
    const condensed = (await notices(session)).filter(({ name }) => name === "condensed");
    expect(condensed.slice(0, 2).map(({ data }) => data.stage)).toEqual(["window", "summary"]);
    // Not with each step again: it makes room for several.
    expect(condensed.length).toBeLessThan(8);
    const last = asked("local-model").at(-1)?.text ?? "";
    expect(last).toContain("The task.");
    expect(last).toContain("SUMMARY-OF-THE-MIDDLE");
    expect(last.length / 4).toBeLessThan(20_000);
    expect((await usageOf(session)).total.calls).toBe(
      21 + condensed.filter(({ data }) => data.stage === "summary").length,
    );
    const [row] = await scene.deps.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM turn_steps s JOIN turns t ON t.id = s.turn_id WHERE t.chat_id = $1",
      [session.chatId],
    );
    expect(row?.count).toBe(21);
  });

  test("Stop while the summary is made leaves the conversation as it was, and the next turn summarises it", async () => {
    const back = Promise.withResolvers<Answer>();
    let steps = 0;
    let summaries = 0;
    server.respond((request) => {
      if (request.body.stream !== true) return ++summaries === 1 ? back.promise : { text: "SUMMARY-OF-THE-MIDDLE" };
      steps += 1;
      const usage = { input: Math.ceil(request.text.length / 4), output: 100 };
      return summaries === 0 ? { ...bash(`echo ${steps} ${"x".repeat(1_500)}`), usage } : { ...DONE, usage };
    });
    const session = await scene.create({ prompt: "The task.", title: "T", model: LOCAL });
    await scene.driver.settle(async () => summaries === 1);
    const before = steps;
    must(await stopTurn(scene.deps, scene.deps.userId, session.chatId));
    await until(session, "stopped");
    back.resolve({ text: "TOO LATE" });
    expect(await scene.deps.query("SELECT 1 FROM chat_condensings WHERE chat_id = $1", [session.chatId])).toEqual([]);
    expect(await noticeNames(session)).not.toContain("condensed");
    expect(steps).toBe(before);
    must(await scene.send(session, "Go on."));
    await until(session, "completed");
    expect(asked("local-model").at(-1)?.text).toContain("SUMMARY-OF-THE-MIDDLE");
  });

  test("a provider that says too early that it is too long is believed: the step is made again, condensed", async () => {
    let steps = 0;
    server.respond((request) => {
      if (request.body.stream !== true) return { text: "SUMMARY" };
      steps += 1;
      if (steps === 13) return { status: 400, body: { error: { message: "prompt is too long: 300000 tokens" } } };
      return steps < 13 ? bash(`echo ${steps} ${"x".repeat(3_000)}`) : DONE;
    });
    const session = await scene.create({ prompt: "The task.", title: "T", model: CLAUDE });
    await until(session, "completed");
    const [before, after] = asked().slice(-2);
    expect(after?.text.length).toBeLessThan((before?.text.length ?? 0) * 0.9);
    expect(after?.text).toContain("The task.");
    expect(await noticeNames(session)).toContain("condensed");
  });

  test("a provider that says it is too long is believed: condensed once more, and when nothing is left to leave out, told", async () => {
    server.respond({
      status: 400,
      body: { error: { type: "invalid_request_error", message: "prompt is too long: 300000 tokens" } },
    });
    const session = await scene.create({ prompt: "The task.", title: "T", model: CLAUDE });
    await until(session, "failed");
    expect(asked()).toHaveLength(1);
    expect((await turnRow(session)).reason).toMatch(/longer than the model can take in.*new chat/);
  });
});

describe("images", () => {
  test("one for a model that cannot see is refused before anything is stored or paid", async () => {
    const session = await scene.ready({ title: "T", model: LOCAL });
    const refused = await scene.send(session, "Look.", "m1", ["shot.png"]);
    expect(refused).toMatchObject({ ok: false, error: { code: "unprocessable", details: { field: "files" } } });
    expect(refused.ok ? "" : refused.error.message).toContain("local-model");
    expect(server.requests).toHaveLength(0);
    expect(await scene.deps.query("SELECT 1 FROM messages WHERE chat_id = $1", [session.chatId])).toEqual([]);
    // The same message may be sent once more with another model.
    must(await patchChat(scene.deps, scene.deps.userId, session.chatId, { model: CLAUDE }));
    server.respond(DONE);
    must(await scene.send(session, "Look.", "m1", ["shot.png"]));
    await until(session, "completed");
  });

  test("one for a model that sees is shown to it", async () => {
    server.respond(DONE);
    const session = await scene.ready({ title: "T", model: CLAUDE });
    await scene.deps.provider.writeFile(session.providerId, "/workspace/shot.png", Buffer.from(PNG, "base64"));
    must(await scene.send(session, "Look.", "m2", ["shot.png"]));
    await until(session, "completed");
    expect(asked().at(-1)?.text).toContain(PNG);
  });

  test("what a provider would refuse is left out with a word, and an image goes by what it is and not by its name", async () => {
    server.respond(DONE);
    const session = await scene.ready({ title: "T", model: CLAUDE });
    const png = Buffer.from(PNG, "base64");
    const tall = Buffer.from(png);
    tall.writeUInt32BE(9_000, 20);
    const files = {
      "notes.png": Buffer.from("just words"),
      "huge.png": Buffer.concat([png, Buffer.alloc(3_700_000)]),
      "tall.png": tall,
      "named.jpg": png,
      "gone.png": null,
    };
    for (const [name, bytes] of Object.entries(files))
      if (bytes) await scene.deps.provider.writeFile(session.providerId, `/workspace/${name}`, bytes);
    must(await scene.send(session, "Look.", "m3", Object.keys(files)));
    await until(session, "completed");
    const text = asked().at(-1)?.text ?? "";
    expect(text.match(/"media_type":"[^"]*"/g)).toEqual(['"media_type":"image/png"']);
    expect(text).toContain("[The image notes.png is not shown: its content is not a whole PNG");
    expect(text).toContain("[The image huge.png is not shown: it is larger than 3.7 MB.]");
    expect(text).toContain("[The image tall.png is not shown: its 1 × 9000 pixels");
    expect(text).toContain("[The image gone.png is not shown: it could not be read.]");
  });

  test("when there is no room for all of them, the newest are shown", async () => {
    server.respond(DONE);
    const session = await scene.ready({ title: "T", model: CLAUDE });
    const names = ["one.png", "two.png", "three.png", "four.png"];
    const large = Buffer.concat([Buffer.from(PNG, "base64"), Buffer.alloc(3_500_000)]);
    for (const name of names) await scene.deps.provider.writeFile(session.providerId, `/workspace/${name}`, large);
    must(await scene.send(session, "Look.", "m4", names));
    await until(session, "completed");
    const text = asked().at(-1)?.text ?? "";
    expect(text.match(/"media_type":"[^"]*"/g)).toHaveLength(3);
    expect(text).toContain("[The image one.png is not shown: newer images");
  });

  test("one that cannot be read for a while does not keep Stop waiting", async () => {
    server.respond(DONE);
    const session = await scene.ready({ title: "T", model: CLAUDE });
    const back = Promise.withResolvers<void>();
    scene.deps.provider.faults.push({ op: "readFile", id: session.providerId, until: back.promise, times: 1000 });
    must(await scene.send(session, "Look.", "m5", ["shot.png"]));
    await scene.driver.settle(async () => (await turnRow(session)).state === "running");
    must(await stopTurn(scene.deps, scene.deps.userId, session.chatId));
    await until(session, "stopped");
    expect(asked()).toHaveLength(0);
    back.resolve();
  });
});

describe("titles and commit messages by the small model", () => {
  test("a chat and its session are named, and the first line stands until then", async () => {
    server.respond((request) => (request.model === "claude-haiku-4-5" ? { text: '"Repair the clock."' } : DONE));
    const session = await scene.create({ prompt: "please have a look at the clock\nit is wrong", model: CLAUDE });
    await until(session, "completed");
    await scene.driver.settle(async () => (await events(session, "title")).length > 0);
    const [row] = await scene.deps.query(
      "SELECT c.title, s.title AS session_title FROM chats c JOIN sessions s ON s.id = c.session_id WHERE c.id = $1",
      [session.chatId],
    );
    expect(row).toEqual({ title: "Repair the clock", session_title: "Repair the clock" });
    expect(askedSmall()).toHaveLength(1);
    expect((await usageOf(session)).total.calls).toBe(2);
  });

  test("never over a person's own title, also when it comes while the model thinks", async () => {
    const back = Promise.withResolvers<Answer>();
    server.respond((request) => (request.model === "claude-haiku-4-5" ? back.promise : DONE));
    const session = await scene.create({ prompt: "look at the clock", model: CLAUDE });
    await scene.driver.settle(async () => askedSmall().length === 1);
    must(await patchChat(scene.deps, scene.deps.userId, session.chatId, { title: "Mine" }));
    back.resolve({ text: "Theirs" });
    await until(session, "completed");
    await scene.driver.settle();
    const [row] = await scene.deps.query("SELECT title FROM chats WHERE id = $1", [session.chatId]);
    expect(row).toEqual({ title: "Mine" });
    expect((await events(session, "title")).map(({ title }) => title)).toEqual(["Mine"]);
  });

  test("a name that comes while the session is archived does not deadlock with it", async () => {
    const back = Promise.withResolvers<Answer>();
    server.respond((request) => (request.model === "claude-haiku-4-5" ? back.promise : DONE));
    const session = await scene.create({ prompt: "look at the clock", model: CLAUDE });
    await scene.driver.settle(async () => askedSmall().length === 1);
    await scene.driver.drain();
    // What archiving a session with a queued turn does, in its order.
    await scene.deps.db.transaction(async (tx) => {
      await lockSandbox(tx, session.sandboxId);
      await touchSession(tx, session.id);
      back.resolve({ text: "Repair the clock" });
      await waitFor(() => scene.somebodyWaits(), { what: "the name waits" });
      await appendEvents(tx, session.chatId, [{ kind: "notice", name: "x", source: "system", data: { message: "x" } }]);
    });
    await until(session, "completed");
    await scene.driver.settle(async () => (await events(session, "title")).length > 0);
    expect((await events(session, "title")).at(-1)).toEqual({ title: "Repair the clock" });
    expect(scene.deps.logged.join("\n")).not.toContain("could not be named");
  });

  test("a small model that fails leaves the plain title and costs the turn nothing", async () => {
    server.respond((request) => (request.model === "claude-haiku-4-5" ? { status: 400 } : DONE));
    const session = await scene.create({ prompt: "look at the clock", model: CLAUDE });
    await until(session, "completed");
    await scene.driver.settle();
    const [row] = await scene.deps.query("SELECT title FROM chats WHERE id = $1", [session.chatId]);
    expect(row).toEqual({ title: "look at the clock" });
  });
});
