import { randomUUID } from "node:crypto";
import { Pool } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { patchChat } from "@/lib/chat/service";
import { touchSession } from "@/lib/chat/store";
import { appendEvents } from "@/lib/chat/stream-store";
import { createDb } from "@/lib/db/client";
import { SandboxError } from "@/lib/sandbox/errors";
import { requestHibernate } from "@/lib/sandbox/service";
import { balanceSlots } from "@/lib/sandbox/slots";
import { lockSandbox } from "@/lib/sandbox/store";
import { createTestDeps } from "@/lib/testing/deps";
import { must, refusal, Scene } from "@/lib/testing/scene";
import { createTestDatabase, type TestDatabase } from "@/tests/harness/database";
import { waitFor } from "@/tests/harness/wait-for";
import { commitWork } from "./commit-service";
import { deleteSession, hibernateSession, inSession, patchSessionDetails } from "./service";

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

test("archiving and the end of a turn at once do not deadlock", async () => {
  const { deps } = scene;
  const session = await scene.ready();
  const ends = deps.db.transaction(async (tx) => {
    await lockSandbox(tx, session.sandboxId);
    const archived = patchSessionDetails(deps, deps.userId, session.id, { status: "archived" });
    archived.catch(() => {});
    await waitFor(() => scene.somebodyWaits(), { what: "archiving waits" });
    await touchSession(tx, session.id);
    return () => archived;
  });
  must(await (await ends)());
  await scene.driver.settle();
  expect((await scene.sandbox(session)).state).toBe("archived");
});

test("renaming a chat and news in it at once do not deadlock", async () => {
  const { deps } = scene;
  const session = await scene.ready();
  const news = { kind: "notice", name: "x", source: "system", data: { message: "x" } } as const;
  const renamed = await deps.db.transaction(async (tx) => {
    await appendEvents(tx, session.chatId, [news]);
    const patched = patchChat(deps, deps.userId, session.chatId, { title: "Other" });
    patched.catch(() => {});
    await waitFor(() => scene.somebodyWaits(), { what: "the rename waits" });
    await appendEvents(tx, session.chatId, [{ ...news, news: true }]);
    return () => patched;
  });
  expect(must(await renamed()).title).toBe("Other");
});

test("storing a message takes one connection, so that many at once cannot starve each other", async () => {
  const session = await scene.ready();
  const pool = new Pool({ connectionString: database.url, max: 1, connectionTimeoutMillis: 1_000 });
  try {
    const alone = new Scene({ ...scene.deps, db: createDb(pool) });
    expect(must(await alone.send(session, "say hi")).turn.state).toBe("queued");
  } finally {
    await pool.end();
  }
  await scene.driver.settle();
});

test("making room never takes back that a session is archived", async () => {
  const { deps } = scene;
  const session = await scene.ready();
  const waiting = await scene.create();
  await deps.query("UPDATE sandboxes SET activity_at = activity_at - interval '1 day' WHERE id = $1", [
    session.sandboxId,
  ]);
  await deps.query("UPDATE sandboxes SET slot = false, queued_at = now() WHERE id = $1", [waiting.sandboxId]);
  const balanced = await deps.db.transaction(async (tx) => {
    await lockSandbox(tx, session.sandboxId);
    const balancing = deps.db.transaction((other) => balanceSlots(other, deps.userId, 0));
    await waitFor(() => scene.somebodyWaits(), { what: "making room waits" });
    await tx.execute(`UPDATE sandboxes SET wanted = 'archived' WHERE id = '${session.sandboxId}'`);
    return () => balancing;
  });
  await balanced();
  expect((await scene.sandbox(session)).wanted).toBe("archived");
  await scene.driver.settle();
});

test("a place that becomes free while room is made puts nobody else to sleep", async () => {
  const { deps } = scene;
  const leaving = await scene.ready();
  const staying = await scene.ready();
  const waiting = await scene.create();
  const userId = randomUUID();
  await deps.query("INSERT INTO users (id, name) VALUES ($1, 'a user of three')", [userId]);
  const ids = [leaving, staying, waiting].map(({ sandboxId }) => sandboxId);
  await deps.query("UPDATE sandboxes SET user_id = $1 WHERE id = ANY($2)", [userId, ids]);
  await deps.query("UPDATE sandboxes SET wanted = 'asleep', wanted_reason = 'limit' WHERE id = $1", [ids[0]]);
  await deps.query("UPDATE sandboxes SET slot = false, queued_at = now() WHERE id = $1", [ids[2]]);
  await deps.db.transaction(async (tx) => {
    let statements = 0;
    const between = {
      execute: async (query: Parameters<typeof tx.execute>[0]) => {
        const answer = await tx.execute(query);
        statements += 1;
        // After the free places were given out (the user's lock comes first), and before it is seen who has to go.
        if (statements === 2) await deps.query("UPDATE sandboxes SET slot = false WHERE id = $1", [ids[0]]);
        return answer;
      },
    } as typeof tx;
    await balanceSlots(between, userId, 2);
  });
  expect((await scene.sandbox(staying)).wanted).toBe("awake");
  await deps.query("UPDATE sandboxes SET user_id = $1 WHERE id = ANY($2)", [deps.userId, ids]);
  await scene.driver.settle();
});

test("asking for sleep never takes back that a session is archived or deleted", async () => {
  const { deps } = scene;
  const session = await scene.ready();
  await inSession(deps, deps.userId, session.id, async (row) => {
    must(await deleteSession(deps, deps.userId, session.id));
    expect(refusal(await requestHibernate(deps, row.sandboxId, false))).toBe("archived");
    return null;
  });
  expect((await scene.sandbox(session)).wanted).toBe("deleted");
  await scene.driver.settle();
  expect(await deps.query("SELECT 1 FROM sessions WHERE id = $1", [session.id])).toEqual([]);
});

test("sleep is refused while a message waits for a sandbox that falls asleep, and the message is answered", async () => {
  const { deps, driver } = scene;
  const session = await scene.ready();
  const sealed = Promise.withResolvers<void>();
  deps.provider.faults.push({ op: "hibernate", id: session.providerId, until: sealed.promise });
  await scene.becomeIdle(session);
  await driver.settle(() => scene.sandboxIs(session, "hibernating"));
  must(await scene.send(session, "say hi"));
  const row = { id: session.id, sandboxId: session.sandboxId } as Parameters<typeof hibernateSession>[1];
  const asked = await hibernateSession(deps, row, false);
  sealed.resolve();
  expect(refusal(asked)).toBe("busy");
  await driver.settle();
  expect(await scene.turns(session)).toEqual(["completed"]);
});

test("a turn that begins while a commit is prepared is not committed half-made", async () => {
  const { deps, driver } = scene;
  const session = await scene.ready();
  const prepared = Promise.withResolvers<void>();
  deps.provider.faults.push({ op: "exec", id: session.providerId, until: prepared.promise });
  const committing = inSession(deps, deps.userId, session.id, (row) => commitWork(deps, row, {}));
  await waitFor(async () => deps.provider.faults.pending === 0, { what: "the branch is read" });
  must(await scene.send(session, "say hi"));
  await driver.settle(async () => (await scene.turns(session)).includes("running"));
  prepared.resolve();
  expect(refusal(await committing)).toBe("busy");
  await driver.settle();
});

test("a session that is deleted while its work cannot be kept goes all the same", async () => {
  const { deps, driver } = scene;
  const session = await scene.ready();
  const tried = Promise.withResolvers<void>();
  deps.provider.faults.push({
    op: "readFile",
    id: session.providerId,
    until: tried.promise,
    error: new SandboxError("permanent", "broken"),
  });
  must(await patchSessionDetails(deps, deps.userId, session.id, { status: "archived" }));
  await driver.settle(async () => deps.provider.faults.pending === 0);
  must(await deleteSession(deps, deps.userId, session.id));
  tried.resolve();
  await driver.settle();
  expect(await deps.query("SELECT 1 FROM sandboxes WHERE id = $1", [session.sandboxId])).toEqual([]);
  expect((await deps.provider.peek(session.providerId)).state).toBe("missing");
});
