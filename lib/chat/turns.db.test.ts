import { afterAll, beforeAll, expect, test } from "vitest";
import { answerToolCall } from "@/lib/chat/send";
import { createChat } from "@/lib/chat/service";
import { stopTurn } from "@/lib/chat/stop";
import { createTestDeps } from "@/lib/testing/deps";
import { must, refusal, Scene, type SceneSession } from "@/lib/testing/scene";
import { createTestDatabase, type TestDatabase } from "@/tests/harness/database";

const STOP_WITHIN_MS = 2_000;

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  database = await createTestDatabase();
  scene = new Scene(await createTestDeps(database.url));
});
afterAll(async () => {
  await scene.deps.close();
  await database.drop();
});

async function reason(session: Pick<SceneSession, "chatId">): Promise<string | null> {
  const [row] = await scene.deps.query<{ reason: string | null }>(
    "SELECT reason FROM turns WHERE chat_id = $1 ORDER BY created_at DESC LIMIT 1",
    [session.chatId],
  );
  return row?.reason ?? null;
}

/** Presses Stop and checks that the turn is over in time. */
async function stopInTime(session: SceneSession, expected = "stopped"): Promise<void> {
  const pressed = performance.now();
  must(await stopTurn(scene.deps, scene.deps.userId, session.chatId));
  await scene.driver.settle(async () => (await scene.turns(session)).at(-1) !== "running", STOP_WITHIN_MS * 3);
  expect((await scene.turns(session)).at(-1)).toBe(expected);
  expect(performance.now() - pressed).toBeLessThan(STOP_WITHIN_MS);
}

async function hasText(session: SceneSession, text: string): Promise<boolean> {
  const rows = await scene.deps.query("SELECT 1 FROM chat_events WHERE chat_id = $1 AND data::text LIKE $2", [
    session.chatId,
    `%${text}%`,
  ]);
  return rows.length > 0;
}

test("Stop ends a turn within two seconds while the model speaks, and keeps what it said", async () => {
  const session = await scene.create({ prompt: "slow 500" });
  await scene.driver.settle(() => hasText(session, "w2"));
  await stopInTime(session);
  const [step] = await scene.deps.query<{ parts: string }>(
    "SELECT s.parts::text AS parts FROM turn_steps s JOIN turns t ON t.id = s.turn_id WHERE t.chat_id = $1",
    [session.chatId],
  );
  expect(step?.parts).toContain("w1 w2");
});

test("Stop ends a turn within two seconds while a command runs", async () => {
  const session = await scene.create({ prompt: "$ echo begun; sleep 600" });
  await scene.driver.settle(() => hasText(session, "begun\\\\n"));
  await stopInTime(session);
});

test("Stop ends a turn within two seconds while it waits to ask the model again", async () => {
  const session = await scene.create({ prompt: "fail overloaded" });
  await scene.driver.settle(() => hasText(session, "Trying again (3 of 5)"));
  await stopInTime(session);
});

test("Stop ends a turn within two seconds while its sandbox comes back", async () => {
  const { deps, driver } = scene;
  const back = Promise.withResolvers<void>();
  const session = await scene.create({ prompt: "$ echo one\n$ echo begun; sleep 600\n$ echo three" });
  await driver.settle(() => hasText(session, "begun\\\\n"));
  deps.provider.faults.push({ op: "resume", until: back.promise }, { op: "create", until: back.promise });
  deps.provider.lose(session.providerId);
  await driver.settle(() => scene.sandboxIs(session, "restoring"));
  await stopInTime(session);
  back.resolve();
  await driver.settle();
  deps.provider.faults.clear();
});

test("Stop ends a turn within two seconds while the sandbox does not answer", async () => {
  const { deps, driver } = scene;
  const never = Promise.withResolvers<void>();
  const session = await scene.ready();
  deps.provider.faults.push({ op: "readFile", id: session.providerId, until: never.promise });
  must(await scene.send(session, "read a.txt"));
  await driver.settle(async () => deps.provider.faults.pending === 0);
  await stopInTime(session);
  never.resolve();
});

test("Stop does not wait for the look at the workspace", async () => {
  const { deps, driver } = scene;
  const looked = Promise.withResolvers<void>();
  const session = await scene.create({ prompt: "slow 500" });
  await driver.settle(() => hasText(session, "w2"));
  deps.provider.faults.push({ op: "exec", id: session.providerId, times: 9, until: looked.promise });
  await stopInTime(session);
  looked.resolve();
  deps.provider.faults.clear();
  await driver.settle();
});

test("Stop ends a queued turn at once", async () => {
  const session = await scene.create({ prompt: "slow 500" });
  await stopInTime(session);
});

test("a queued turn says what it waits for", async () => {
  const { deps, driver } = scene;
  const session = await scene.create({ prompt: "slow 500" });
  await driver.pump();
  expect(await reason(session)).toBe("Waits for the sandbox.");
  await driver.settle(async () => (await scene.turns(session))[0] === "running");
  const other = must(await createChat(deps, { id: session.id, userId: deps.userId, model: "demo/demo" }, {}));
  const second = { ...session, chatId: other.id };
  must(await scene.send(second, "say hi"));
  await driver.pump();
  expect(await reason(second)).toBe("Waits for the turn in another chat of this session.");
  must(await scene.send(session, "say hi"));
  await driver.pump();
  expect(await reason(session)).toBe("Waits for the turn before it.");
  await stopTurn(deps, deps.userId, session.chatId);
  await driver.settle();
  expect(await scene.turns(second)).toEqual(["completed"]);
  expect(await reason(second)).toBe(null);
});

test("the same answer to a question again is the same success, another one a conflict", async () => {
  const { deps, driver } = scene;
  const session = await scene.ready({ prompt: "ask Which one?\nsay done" });
  expect(await scene.turns(session)).toEqual(["waiting_for_user"]);
  const [call] = await deps.query<{ id: string }>(
    "SELECT c.id FROM tool_calls c JOIN turns t ON t.id = c.turn_id WHERE t.chat_id = $1",
    [session.chatId],
  );
  const id = call?.id ?? "";
  const answer = (text: string) => answerToolCall(deps, deps.userId, session.chatId, id, text);
  must(await answer("this"));
  must(await answer("this"));
  await driver.settle();
  expect(must(await answer("this")).turn.state).toBe("completed");
  expect(refusal(await answer("that"))).toBe("conflict");
});

test("a turn that may go on gets as many steps again as the session allows, and does not begin anew", async () => {
  const { driver } = scene;
  const session = await scene.ready({ prompt: "$ echo one\n$ echo two\n$ echo three", limits: { maxSteps: 2 } });
  expect(await scene.turns(session)).toEqual(["waiting_for_user"]);
  must(await scene.send(session, "say go on"));
  await driver.settle();
  const [turn] = await scene.deps.query<{ state: string; step_allowance: number }>(
    "SELECT state, step_allowance FROM turns WHERE chat_id = $1",
    [session.chatId],
  );
  expect(turn).toEqual({ state: "completed", step_allowance: 4 });
});

test("an execution that has lost its turn ends it no more", async () => {
  const { deps, driver } = scene;
  const session = await scene.create({ prompt: "slow 20" });
  await driver.settle(() => hasText(session, "w2"));
  await driver.crash();
  await driver.settle();
  expect(await scene.turns(session)).toEqual(["completed"]);
  const ends = await deps.query(
    "SELECT 1 FROM chat_events WHERE chat_id = $1 AND name = 'turn' AND data->'turn'->>'state' = 'completed'",
    [session.chatId],
  );
  expect(ends).toHaveLength(1);
});
