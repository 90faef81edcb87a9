import { describe, expect, test } from "vitest";
import { sweepLostCalls } from "@/lib/chat/lost-calls";
import { stopTurn } from "@/lib/chat/stop";
import { must, type SceneSession } from "@/lib/testing/scene";
import type { Answer } from "@/tests/fixtures/model-server/reply";
import {
  asked,
  askedSmall,
  CLAUDE,
  DONE,
  enterProviders,
  events,
  scene,
  server,
  turnRow,
  until,
} from "@/tests/fixtures/provider-scene";

enterProviders();

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
