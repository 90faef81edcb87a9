import { describe, expect, test } from "vitest";
import { stopTurn } from "@/lib/chat/stop";
import { patchSessionDetails } from "@/lib/session/service";
import { must, type SceneSession } from "@/lib/testing/scene";
import type { Reply } from "@/tests/fixtures/model-server/reply";
import {
  asked,
  bash,
  CLAUDE,
  DONE,
  enterProviders,
  noticeNames,
  STEP_USD,
  scene,
  server,
  turnRow,
  until,
} from "@/tests/fixtures/provider-scene";

enterProviders();

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
