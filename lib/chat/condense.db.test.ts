import { describe, expect, test } from "vitest";
import { stopTurn } from "@/lib/chat/stop";
import { must } from "@/lib/testing/scene";
import type { Answer } from "@/tests/fixtures/model-server/reply";
import {
  asked,
  bash,
  CLAUDE,
  DONE,
  enterProviders,
  LOCAL,
  noticeNames,
  notices,
  scene,
  server,
  turnRow,
  until,
  usageOf,
} from "@/tests/fixtures/provider-scene";

enterProviders();

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
