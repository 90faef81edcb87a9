import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stopTurn } from "@/lib/chat/stop";
import { SandboxError } from "@/lib/sandbox/errors";
import { requestResume } from "@/lib/sandbox/service";
import { createTestDeps, type TestDeps } from "@/lib/testing/deps";
import { Scene, type SceneSession } from "@/lib/testing/scene";
import { INVARIANTS } from "@/tests/crash/invariants";
import { createTestDatabase, type TestDatabase } from "@/tests/harness/database";
import { deleteSession, hibernateSession, inRunningSession, patchSessionDetails } from "./service";
import { cancelStart, retryStart } from "./start-service";

/** One thing that happens. Numbers choose a session among those that were made. */
type Act =
  | { readonly do: "create"; readonly prompt: string }
  | { readonly do: "send"; readonly at: number; readonly text: string }
  | { readonly do: "hibernate"; readonly at: number; readonly force: boolean }
  | { readonly do: "fault"; readonly op: (typeof FAULTY)[number]; readonly kind: Kind; readonly afterEffect: boolean }
  | { readonly do: (typeof PLAIN)[number]; readonly at: number }
  | { readonly do: "crash" }
  | { readonly do: "sweep" }
  /** Runs until nothing is to be done any more. */
  | { readonly do: "rest" }
  | { readonly do: "run"; readonly passes: number };

const PLAIN = ["stop", "idle", "wake", "archive", "unarchive", "delete", "lose", "cancel", "retry"] as const;
const FAULTY = ["create", "resume", "hibernate", "destroy", "peek", "exec", "spawn", "readFile"] as const;
type Kind = "transient" | "unknown_outcome" | "permanent" | "gone";
const TEXTS = [
  "say hi",
  "slow 3",
  "$ echo a\n$ echo b",
  "write a.txt: b",
  "ask Which?\nsay so",
  "fail auth",
  "$ sleep 0.1",
];

const at = fc.nat({ max: 3 });
const text = fc.constantFrom(...TEXTS);
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("create" as const), prompt: text }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("send" as const), at, text }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("hibernate" as const), at, force: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("fault" as const),
      op: fc.constantFrom(...FAULTY),
      kind: fc.constantFrom<Kind[]>("transient", "unknown_outcome", "permanent", "gone"),
      afterEffect: fc.boolean(),
    }),
  },
  { weight: 9, arbitrary: fc.record({ do: fc.constantFrom(...PLAIN), at }) },
  { weight: 2, arbitrary: fc.constantFrom<Act[]>({ do: "crash" }, { do: "sweep" }) },
  { weight: 8, arbitrary: fc.constant<Act>({ do: "rest" }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("run" as const), passes: fc.integer({ min: 1, max: 25 }) }) },
);

/** Plays that were wrong once. */
const EXAMPLES: [Act[]][] = [
  [[{ do: "create", prompt: "say hi" }, { do: "rest" }, { do: "lose", at: 0 }, { do: "sweep" }, { do: "rest" }]],
];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

class Play {
  readonly scene: Scene;
  readonly sessions: SceneSession[] = [];

  constructor(readonly deps: TestDeps) {
    this.scene = new Scene(deps);
  }

  async act(what: Act): Promise<void> {
    const { deps, scene } = this;
    if (what.do === "create") {
      if (this.sessions.length < 4) this.sessions.push(await scene.create({ prompt: what.prompt }));
    } else if (what.do === "crash") await scene.driver.crash();
    else if (what.do === "sweep") await scene.driver.sweep().catch(onlySandbox);
    else if (what.do === "rest") await scene.driver.settle();
    else if (what.do === "run") for (let pass = 0; pass < what.passes; pass++) await this.pass();
    else if (what.do === "fault") {
      const { op, kind, afterEffect } = what;
      deps.provider.faults.push({ op, afterEffect, error: new SandboxError(kind, `a fault of ${op}`) });
    } else {
      const session = this.sessions[what.at % Math.max(1, this.sessions.length)];
      if (session) await this.inSession(what, session);
    }
  }

  /** What people do. A refusal is an answer like another; only what throws is wrong. */
  private async inSession(what: Extract<Act, { at: number }>, session: SceneSession): Promise<unknown> {
    const { deps, scene } = this;
    const { userId } = deps;
    if (what.do === "send") return scene.send(session, what.text);
    if (what.do === "stop") return stopTurn(deps, userId, session.chatId);
    if (what.do === "idle") return scene.becomeIdle(session);
    if (what.do === "wake")
      return inRunningSession(deps, userId, session.id, () => requestResume(deps, session.sandboxId, userId));
    if (what.do === "hibernate")
      return inRunningSession(deps, userId, session.id, (row) => hibernateSession(deps, row, what.force));
    if (what.do === "archive") return patchSessionDetails(deps, userId, session.id, { status: "archived" });
    if (what.do === "unarchive") return patchSessionDetails(deps, userId, session.id, { status: "running" });
    if (what.do === "delete") return deleteSession(deps, userId, session.id);
    if (what.do === "cancel") return inRunningSession(deps, userId, session.id, (row) => cancelStart(deps, row.id));
    if (what.do === "retry")
      return inRunningSession(deps, userId, session.id, (row) => retryStart(deps, userId, row.id));
    const [row] = await deps.query<{ generation: number }>("SELECT generation FROM sandboxes WHERE id = $1", [
      session.sandboxId,
    ]);
    return deps.provider.lose(`${session.sandboxId}-${row?.generation ?? 1}`);
  }

  /** Names of the invariants that do not hold (properties.md). */
  async broken(): Promise<string[]> {
    const each = INVARIANTS.map(({ name, query }) => `SELECT '${name}' AS name WHERE EXISTS (${query})`);
    return (await this.deps.query<{ name: string }>(each.join(" UNION ALL "))).map((row) => row.name);
  }

  private async pass(): Promise<void> {
    await this.scene.driver.pump();
    await new Promise((resolve) => setTimeout(resolve, 3));
  }

  /** Nothing goes wrong any more, and time passes: everything has to come to an end that is wanted. */
  async converge(): Promise<void> {
    const { deps, scene } = this;
    deps.provider.faults.clear();
    for (let round = 0; round < 3; round++) {
      await scene.driver.hurry();
      await scene.driver.settle(undefined, 20_000);
      await scene.driver.sweep();
    }
    await scene.driver.settle(undefined, 20_000);
    expect(await this.unfinished()).toEqual([]);
  }

  private async unfinished(): Promise<unknown[]> {
    const { deps } = this;
    const open = await deps.query(`
      SELECT b.id, b.state, b.wanted, b.wanted_reason, b.slot, b.queued_at, 'sandbox' AS what FROM sandboxes b
        WHERE b.state IN ('provisioning', 'hibernating', 'restoring', 'archiving')
          OR b.wanted = 'deleted' OR (b.wanted = 'archived' AND b.state NOT IN ('archived', 'failed'))
          OR (b.wanted = 'awake' AND b.state = 'hibernated') OR (b.wanted = 'asleep' AND b.state = 'active')
      UNION ALL SELECT t.id, t.state, b.wanted, b.state, b.slot, NULL, 'turn' FROM turns t JOIN sandboxes b ON b.id = t.sandbox_id
        WHERE t.state = 'running' OR (t.state = 'queued' AND b.state <> 'failed'
          AND NOT EXISTS (SELECT 1 FROM turns o WHERE o.chat_id = t.chat_id AND o.state = 'waiting_for_user'))
      UNION ALL SELECT s.id, s.status, b.wanted, b.state, b.slot, NULL, 'start' FROM start_tasks s JOIN sandboxes b ON b.id = s.sandbox_id
        WHERE s.status NOT IN ('READY', 'ERROR')`);
    const rows = await deps.query<{ id: string; generation: number; state: string }>(
      "SELECT id, generation, state FROM sandboxes",
    );
    const wrong = [];
    const expected: Record<string, string> = { active: "running", hibernated: "hibernated", archived: "missing" };
    const known = new Set<string>();
    for (const { id, generation, state } of rows) {
      known.add(`${id}-${generation}`);
      const peek = await deps.provider.peek(`${id}-${generation}`);
      if (expected[state] && peek.state !== expected[state]) wrong.push({ id, state, atProvider: peek.state });
    }
    for (const peek of await deps.provider.list()) if (!known.has(peek.id)) wrong.push({ orphan: peek.id });
    return [...open, ...wrong];
  }
}

function onlySandbox(error: unknown): void {
  if (!(error instanceof SandboxError)) throw error;
}

test("whatever people, the provider and crashes do, in any order: the rows stay lawful and everything converges", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 8, maxLength: 30 }), async (acts) => {
      const deps = await createTestDeps(database.url, { maxActive: 2 });
      const play = new Play(deps);
      try {
        for (const what of acts) {
          await play.act(what);
          expect(await play.broken(), JSON.stringify(what)).toEqual([]);
        }
        await play.converge();
        expect(await play.broken()).toEqual([]);
        expect(deps.logged.filter((line) => line.includes("unexpectedly"))).toEqual([]);
      } finally {
        deps.provider.faults.clear();
        await play.scene.driver.drain();
        await deps.query("TRUNCATE users CASCADE");
        await deps.close();
      }
    }),
    {
      examples: EXAMPLES,
      numRuns: Number(process.env.DORMOUSE_TEST_PLAYS ?? "12"),
      interruptAfterTimeLimit: Number(process.env.DORMOUSE_TEST_PLAY_MS ?? 30_000),
      endOnFailure: false,
      ...seed(),
    },
  );
}, 300_000);

/** A failure prints its seed and path; both may be given again. */
function seed(): { seed?: number; path?: string } {
  const given = process.env.DORMOUSE_TEST_SEED;
  if (!given) return {};
  const [number, ...path] = given.split(" ");
  return { seed: Number(number), ...(path[0] ? { path: path[0] } : {}) };
}
