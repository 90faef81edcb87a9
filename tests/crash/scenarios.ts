import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { CrashPoint } from "@/lib/kernel/crash-points";
import type { CreateSessionBody, CreateSessionView } from "@/lib/session/contract";
import { type Client, newMessageId, outputOf, textOf, toolParts } from "@/tests/api/client";
import { poll } from "@/tests/api/poll";
import { type Repository, withSetup } from "@/tests/fixtures/repos";
import { replayText } from "./replay";
import { attempt, type World } from "./world";

/** A use case that passes a crash point: what comes before, what dies, and what must be true in the end. */
export interface Scenario<Context = unknown> {
  prepare(world: World): Promise<Context>;
  act(api: Client, context: Context): Promise<void>;
  goal(world: World, context: Context): Promise<void>;
}

const CONVERGE_MS = 120_000;

/** A message with words, a command that leaves a trace, slow words and an end. */
export const WORK = "say the begin\n$ date +%s%N >> log.txt; sleep 1; echo ran\nslow 12\nsay the end";
export const SLOW = Array.from({ length: 12 }, (_, index) => `w${index + 1}`).join(" ");

/** Checks that the turn that answers `WORK` said everything once and ran its command once. */
export async function expectWorkDone(api: Client, chatId: string, turnId: string): Promise<void> {
  const turn = await api.finished(chatId, turnId, CONVERGE_MS);
  expect(turn.state, turn.reason ?? "").toBe("completed");
  for (const words of ["the begin", SLOW, "the end"]) expect(turn.text.split(words).length, words).toBe(2);
  expect(replayText(await api.history(chatId), turnId)).toBe(turn.text);
  const parts = toolParts(turn.message);
  expect(parts.length).toBe(1);
  const probe = await api.turn(chatId, "$ wc -l < log.txt", CONVERGE_MS);
  const lines = Number(/(\d+)\\n/.exec(outputOf(toolParts(probe.message)[0]))?.[1] ?? "0");
  if (outputOf(parts[0]).includes("ran")) expect(lines).toBe(1);
  else {
    expect(outputOf(parts[0])).toMatch(/unknown|interrupted/i);
    expect(lines).toBeLessThanOrEqual(1);
  }
}

/** The person's messages of a chat with this text: one, however often it was sent. */
async function expectOneMessage(api: Client, chatId: string, text: string): Promise<void> {
  const { messages } = await api.messages(chatId);
  expect(messages.filter((message) => message.role === "user" && textOf(message) === text).length).toBe(1);
}

interface Creation {
  readonly repository: Repository;
  readonly body: CreateSessionBody & { id: string };
}

const SETUP = "echo one >> setup-runs.txt\nexport FROM_SETUP=yes\nsleep 1\n";

/** A creation with repository, setup script and prompt; `known` says whether the session must exist before it is sent again. */
function creation(known: boolean): Scenario<Creation> {
  return {
    async prepare() {
      const repository = await withSetup(SETUP);
      return {
        repository,
        body: { id: randomUUID(), prompt: WORK, repo: { url: repository.path, newBranch: "crash/test" } },
      };
    },
    async act(api, { body }) {
      await attempt(() => api.post("/api/sessions", body));
    },
    async goal(world, { body, repository }) {
      const { api } = world;
      const before = await api.get(`/api/sessions/${body.id}`);
      expect(before.status).toBe(known ? 200 : 404);
      const again = await api.post("/api/sessions", body);
      expect(again.status, again.text).toBe(known ? 200 : 201);
      const made = again.body as CreateSessionView;
      const start = await api.started(body.id, CONVERGE_MS);
      expect(start.status, JSON.stringify(start.error)).toBe("READY");
      for (const phase of start.phases) expect(["done", "skipped"], phase.name).toContain(phase.state);
      await expectWorkDone(api, made.chat.id, made.message?.metadata.turnId ?? "");
      await expectOneMessage(api, made.chat.id, WORK);
      const probe = await api.turn(
        made.chat.id,
        "$ echo setup=$FROM_SETUP; git branch --show-current; git status --porcelain",
      );
      expect(outputOf(toolParts(probe.message)[0])).toContain("setup=yes");
      expect(outputOf(toolParts(probe.message)[0])).toContain("crash/test");
      const starts = await world.sql("SELECT sandbox_id FROM start_tasks WHERE session_id = $1", [body.id]);
      expect(starts.length).toBe(1);
      await repository.remove();
    },
  };
}

interface Sending {
  readonly made: CreateSessionView;
  readonly id: string;
}

/** A message to a session that is READY. */
function sending(known: boolean): Scenario<Sending> {
  return {
    prepare: async ({ api }) => ({ made: await api.ready({}), id: newMessageId() }),
    async act(api, { made, id }) {
      await attempt(() => api.post(`/api/chats/${made.chat.id}/messages`, { id, text: WORK }));
    },
    async goal({ api }, { made, id }) {
      const stored = (await api.messages(made.chat.id)).messages.filter((message) => message.id === id);
      expect(stored.length).toBe(known ? 1 : 0);
      const knownTurn = stored[0]?.metadata?.turnId;
      if (knownTurn) await expectWorkDone(api, made.chat.id, knownTurn);
      const again = await api.send(made.chat.id, WORK, id);
      if (knownTurn) expect(again.turn.id).toBe(knownTurn);
      else await expectWorkDone(api, made.chat.id, again.turn.id);
      await expectOneMessage(api, made.chat.id, WORK);
    },
  };
}

interface Kept {
  readonly made: CreateSessionView;
}

async function withKeptFile({ api }: World): Promise<Kept> {
  const made = await api.ready({});
  await api.turn(
    made.chat.id,
    "write kept.txt: kept through it all\n$ git add kept.txt && git commit -qm kept && echo loose > loose.txt",
  );
  return { made };
}

async function expectKeptFile(api: Client, chatId: string): Promise<void> {
  const turn = await api.turn(
    chatId,
    "$ cat kept.txt loose.txt; git log -1 --format=%s; git fsck 2>&1 | grep -ci error",
    CONVERGE_MS,
  );
  expect(turn.state).toBe("completed");
  const seen = outputOf(toolParts(turn.message)[0]);
  for (const words of ["kept through it all", "loose", "kept\\n0"]) expect(seen).toContain(words);
}

const hibernating: Scenario<Kept> = {
  prepare: withKeptFile,
  async act(api, { made }) {
    await attempt(() => api.post(`/api/sessions/${made.session.id}/sandbox/hibernate`, {}));
  },
  async goal({ api }, { made }) {
    await api.sandboxIn(made.session.id, "hibernated", CONVERGE_MS);
    await expectKeptFile(api, made.chat.id);
  },
};

const restoring: Scenario<Kept & { id: string }> = {
  async prepare(world) {
    const kept = await withKeptFile(world);
    await world.api.asleep(kept.made.session.id);
    return { ...kept, id: newMessageId() };
  },
  async act(api, { made, id }) {
    await attempt(() => api.send(made.chat.id, WORK, id));
  },
  async goal({ api }, { made, id }) {
    const message = (await api.messages(made.chat.id)).messages.find((one) => one.id === id);
    await expectWorkDone(api, made.chat.id, message?.metadata?.turnId ?? "the message is lost");
    await expectKeptFile(api, made.chat.id);
  },
};

const archiving: Scenario<Kept> = {
  prepare: withKeptFile,
  async act(api, { made }) {
    await attempt(() => api.patch(`/api/sessions/${made.session.id}`, { status: "archived" }));
  },
  async goal(world, { made }) {
    const { api } = world;
    await api.sandboxIn(made.session.id, "archived", CONVERGE_MS);
    await world.converged();
    expect((await api.patch(`/api/sessions/${made.session.id}`, { status: "running" })).status).toBe(200);
    await api.sandboxIn(made.session.id, "active", CONVERGE_MS);
    await expectKeptFile(api, made.chat.id);
  },
};

const deleting: Scenario<Kept & { sandboxId: string }> = {
  async prepare(world) {
    const kept = await withKeptFile(world);
    const [row] = await world.sql<{ id: string }>("SELECT sandbox_id AS id FROM sessions WHERE id = $1", [
      kept.made.session.id,
    ]);
    return { ...kept, sandboxId: row?.id ?? "" };
  },
  async act(api, { made }) {
    await attempt(() => api.delete(`/api/sessions/${made.session.id}`));
  },
  async goal(world, { made, sandboxId }) {
    const answer = await world.api.get(`/api/sessions/${made.session.id}`);
    expect(answer.status).toBe(404);
    await poll(
      () =>
        world.sql(
          `SELECT id FROM sessions WHERE id = $1 UNION ALL SELECT id FROM chats WHERE id = $2
           UNION ALL SELECT chat_id FROM chat_events WHERE chat_id = $2 UNION ALL SELECT id FROM sandboxes WHERE id = $3`,
          [made.session.id, made.chat.id, sandboxId],
        ),
      (left) => left.length === 0,
      { timeoutMs: CONVERGE_MS, everyMs: 500, what: "no row of the deleted session" },
    );
  },
};

/** The use case that passes a crash point. */
export function scenarioOf(point: CrashPoint): Scenario {
  const [area] = point.split(".");
  switch (area) {
    case "create":
      return creation(point !== "create.before-commit") as Scenario;
    case "start":
    case "engine":
      return creation(true) as Scenario;
    case "message":
      return sending(point !== "message.before-commit") as Scenario;
    case "turn":
      return sending(true) as Scenario;
    case "hibernate":
      return hibernating as Scenario;
    case "restore":
      return restoring as Scenario;
    case "archive":
      return archiving as Scenario;
    case "delete":
      return deleting as Scenario;
    default:
      throw new Error(`no scenario reaches ${point}`);
  }
}
