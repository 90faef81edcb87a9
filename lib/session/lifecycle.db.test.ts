import { afterAll, beforeAll, expect, test } from "vitest";
import { SandboxError } from "@/lib/sandbox/errors";
import { uploadFiles } from "@/lib/sandbox/files";
import { reportLost } from "@/lib/sandbox/service";
import { findSandbox } from "@/lib/sandbox/store";
import { createTestDeps } from "@/lib/testing/deps";
import { must, Scene, type SceneSession } from "@/lib/testing/scene";
import { createTestDatabase, type TestDatabase } from "@/tests/harness/database";
import { deleteSession, patchSessionDetails } from "./service";
import { cancelStart, retryStart } from "./start-service";

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

function archive(session: SceneSession, status: "archived" | "running" = "archived") {
  return patchSessionDetails(scene.deps, scene.deps.userId, session.id, { status });
}

async function fallAsleep(session: SceneSession): Promise<void> {
  await scene.becomeIdle(session);
  await scene.driver.settle(() => scene.sandboxIs(session, "hibernated"));
}

function upload(session: SceneSession, name: string) {
  const file = { name, sizeBytes: 2, bytes: async () => Buffer.from("hi") };
  return uploadFiles(scene.deps, session.sandboxId, "", [file]);
}

test("a sandbox that is lost while its run sleeps until the idle time comes back at once", async () => {
  const { deps, driver } = scene;
  const session = await scene.ready({ prompt: "write a.txt: a" });
  deps.provider.lose(session.providerId);
  const row = await findSandbox(deps.db, session.sandboxId);
  if (row) await reportLost(deps, row);
  expect((await scene.sandbox(session)).state).toBe("restoring");
  await driver.settle();
  expect((await scene.sandbox(session)).state).toBe("active");
});

test("a turn waits for a sandbox that takes long to come back, and goes on", async () => {
  const { deps, driver } = scene;
  const back = Promise.withResolvers<void>();
  const session = await scene.create({ prompt: "$ echo one\n$ sleep 600\n$ echo three" });
  await driver.settle(
    async () =>
      (await deps.query("SELECT 1 FROM tool_calls WHERE state = 'running' AND position = 0 AND step = 1")).length > 0,
  );
  deps.provider.faults.push({ op: "resume", until: back.promise });
  deps.provider.faults.push({ op: "create", until: back.promise });
  deps.provider.lose(session.providerId);
  const waited = performance.now();
  await driver.settle(async () => performance.now() - waited > 5_000);
  expect(await scene.turns(session)).toEqual(["running"]);
  back.resolve();
  await driver.settle();
  deps.provider.faults.clear();
  expect(await scene.turns(session)).toEqual(["completed"]);
}, 30_000);

test("files that are uploaded while a sandbox comes back are in it when it is there", async () => {
  const { deps, driver } = scene;
  const session = await scene.ready();
  await fallAsleep(session);
  const back = Promise.withResolvers<void>();
  deps.provider.faults.push({ op: "resume", id: session.providerId, until: back.promise });
  must(await scene.send(session, "say hi"));
  await driver.settle(() => scene.sandboxIs(session, "restoring"));
  expect(must(await upload(session, "a.txt")).files[0]).toMatchObject({ ok: true, queued: true });
  back.resolve();
  await driver.settle();
  expect((await deps.provider.stat(session.providerId, "/workspace/a.txt"))?.sizeBytes).toBe(2);
});

test("a file that is uploaded while the waiting ones are written is not lost", async () => {
  const { deps, driver } = scene;
  const session = await scene.create();
  must(await upload(session, "first.txt"));
  const written = Promise.withResolvers<void>();
  deps.provider.faults.push({ op: "writeFile", id: session.providerId, until: written.promise });
  await driver.settle(async () => deps.provider.faults.pending === 0);
  must(await upload(session, "second.txt"));
  written.resolve();
  await driver.settle();
  const names = (await deps.provider.listFiles(session.providerId, "/workspace")).map((entry) => entry.name);
  expect(names).toEqual(["first.txt", "second.txt"]);
});

test("a start that hangs at the provider is cancelled at once, and archived without a rest", async () => {
  const { deps, driver } = scene;
  const session = await scene.create();
  const made = Promise.withResolvers<void>();
  deps.provider.faults.push({ op: "create", id: session.providerId, until: made.promise });
  await driver.settle(async () => deps.provider.faults.pending === 0);
  must(await cancelStart(deps, session.id));
  await driver.settle(async () => (await scene.startStatus(session)) === "ERROR", 4_000);
  must(await archive(session));
  await driver.settle();
  expect((await scene.sandbox(session)).state).toBe("archived");
  // The provider did it in the end: the sweep sees to what nobody waits for any more (I9).
  made.resolve();
  await driver.settle(async () => (await deps.provider.peek(session.providerId)).state === "running");
  await driver.sweep();
  expect((await deps.provider.peek(session.providerId)).state).toBe("missing");
});

test("archiving in the middle of a start waits until the start has let go", async () => {
  const { deps, driver } = scene;
  const session = await scene.create();
  const made = Promise.withResolvers<void>();
  deps.provider.faults.push({ op: "create", id: session.providerId, until: made.promise });
  await driver.settle(async () => deps.provider.faults.pending === 0);
  must(await archive(session));
  await driver.settle(() => scene.sandboxIs(session, "archived"), 6_000);
  expect(await scene.startStatus(session)).toBe("ERROR");
  made.resolve();
  await driver.settle();
  await driver.sweep();
  expect((await deps.provider.peek(session.providerId)).state).toBe("missing");
});

test("work that was done after an archiving that failed is kept by the next one", async () => {
  const { deps, driver } = scene;
  const session = await scene.ready({ prompt: "write old.txt: a" });
  deps.provider.faults.push({ op: "destroy", id: session.providerId, error: new SandboxError("permanent", "no") });
  must(await archive(session));
  await driver.settle(() => scene.sandboxIs(session, "failed"));
  must(await archive(session, "running"));
  must(await scene.send(session, "write new.txt: b"));
  await driver.settle(async () => (await scene.turns(session)).at(-1) === "completed");
  const reads = () => deps.provider.calls.filter((call) => call.op === "readFile" && call.id === session.providerId);
  const before = reads().length;
  must(await archive(session));
  await driver.settle(() => scene.sandboxIs(session, "archived"));
  expect(reads().length).toBeGreaterThan(before);
});

test("a message to a session whose start failed half way lets the start go on, not just the sandbox", async () => {
  const { deps, driver } = scene;
  const session = await scene.create();
  deps.provider.faults.push({
    op: "listFiles",
    id: session.providerId,
    times: 5,
    error: new SandboxError("transient", "x"),
  });
  await driver.settle(() => scene.sandboxIs(session, "failed"), 15_000);
  must(await scene.send(session, "say hi"));
  await driver.settle();
  expect(await scene.startStatus(session)).toBe("READY");
  expect(await scene.turns(session)).toEqual(["completed"]);
}, 45_000);

test("a start whose sandbox was put to rest after a failure brings it up again at the retry", async () => {
  const { deps, driver } = scene;
  const session = await scene.create();
  deps.provider.faults.push({ op: "exec", id: session.providerId, error: new SandboxError("permanent", "no git") });
  await driver.settle();
  expect((await scene.sandbox(session)).state).toBe("failed");
  expect((await deps.provider.peek(session.providerId)).state).toBe("hibernated");
  must(await retryStart(deps, deps.userId, session.id));
  await driver.settle();
  expect(await scene.startStatus(session)).toBe("READY");
});

test("a start whose sandbox vanishes does again what it had done in it", async () => {
  const { deps, driver } = scene;
  const session = await scene.create();
  const listed = Promise.withResolvers<void>();
  const lost = new SandboxError("gone", "it vanished");
  deps.provider.faults.push({ op: "listFiles", id: session.providerId, until: listed.promise, error: lost });
  await driver.settle(async () => deps.provider.faults.pending === 0);
  deps.provider.lose(session.providerId);
  const commits = () => deps.provider.calls.filter((call) => call.op === "create" && call.id === session.providerId);
  listed.resolve();
  await driver.settle();
  expect(commits()).toHaveLength(2);
  const [task] = await deps.query<{ at: string; made: string }>(
    `SELECT p ->> 'startedAt' AS at, w ->> 'endedAt' AS made FROM start_tasks s, jsonb_array_elements(s.phases) p, jsonb_array_elements(s.phases) w
     WHERE s.session_id = $1 AND p ->> 'name' = 'PREPARING_REPOSITORY' AND w ->> 'name' = 'WAITING_FOR_SANDBOX'`,
    [session.id],
  );
  expect(Date.parse(task?.at ?? "")).toBeGreaterThanOrEqual(Date.parse(task?.made ?? ""));
  expect(await scene.startStatus(session)).toBe("READY");
});

test("a session that is deleted in every state leaves no row and no sandbox", async () => {
  const { deps, driver } = scene;
  const states = ["provisioning", "active", "hibernated", "archived"] as const;
  for (const state of states) {
    const session = state === "provisioning" ? await scene.create({ prompt: "slow 50" }) : await scene.ready();
    if (state === "hibernated") await fallAsleep(session);
    if (state === "archived") {
      must(await archive(session));
      await driver.settle();
    }
    must(await deleteSession(deps, deps.userId, session.id));
    await driver.settle();
    expect(await deps.query("SELECT state FROM sandboxes WHERE id = $1", [session.sandboxId]), state).toEqual([]);
    expect(await deps.query("SELECT 1 FROM sessions WHERE id = $1", [session.id]), state).toEqual([]);
    expect((await deps.provider.peek(session.providerId)).state).toBe("missing");
  }
});

test("a row that cannot be mended does not keep the reconciler from the others", async () => {
  const { deps, driver } = scene;
  const broken = await scene.ready();
  await deps.query("DELETE FROM start_tasks WHERE session_id = $1", [broken.id]);
  await deps.query("UPDATE sandboxes SET state = 'provisioning', deadline_at = now(), slot = true WHERE id = $1", [
    broken.sandboxId,
  ]);
  await deps.query(`ALTER TABLE start_tasks ADD CONSTRAINT refuse CHECK (sandbox_id <> '${broken.sandboxId}')`);
  const session = await scene.create();
  await driver.settle(async () => (await scene.startStatus(session)) === "READY");
  await deps.query("ALTER TABLE start_tasks DROP CONSTRAINT refuse");
  await driver.settle(async () => (await scene.startStatus(broken)) === "READY");
});
