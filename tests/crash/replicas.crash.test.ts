import path from "node:path";
import { describe, expect, test } from "vitest";
import { endProcess, freePort, launchApp, localUrl, waitUntilReady } from "@/scripts/lib/harness.mjs";
import { Client, outputOf, toolParts, turnOf } from "@/tests/api/client";
import { poll } from "@/tests/api/poll";
import { inWorld, type World } from "./world";

interface Replica {
  readonly client: Client;
  readonly pid: number;
  kill(): Promise<void>;
  end(): Promise<void>;
}

const root = path.resolve(import.meta.dirname, "../..");
const host = "127.0.0.1";

/** A second app process on the database and data directory of the first. */
async function join(world: World): Promise<Replica> {
  const { dataDir, databaseUrl, token } = world.server;
  const port = await freePort();
  const logFile = path.join(dataDir, "replica.log");
  const app = launchApp({ root, host, port, dataDir, databaseUrl, token, logFile, env: { PATH: process.env.PATH } });
  await waitUntilReady({ app, host, port, logFile });
  return {
    client: new Client(localUrl({ host, port }), token),
    pid: app.identity.pid,
    async kill() {
      process.kill(app.identity.pid, "SIGKILL");
      await app.exited;
    },
    async end() {
      await endProcess(app.identity, [{ signal: "SIGTERM", waitMs: 20_000 }]);
      await app.exited;
    },
  };
}

/** A story with two processes, both running at its beginning. */
function withReplica(story: (world: World, replica: Replica) => Promise<void>): Promise<void> {
  return inWorld(async (world) => {
    await world.boot();
    const replica = await join(world);
    try {
      await story(world, replica);
    } finally {
      await replica.end();
    }
  });
}

describe("two app processes on one database", () => {
  test("serve the same chats: what one is told the other shows, in the same order", () =>
    withReplica(async (world, { client }) => {
      const { chat } = await world.api.ready({});
      const reading = client.collect(chat.id, (event) => turnOf(event)?.state === "completed", { timeoutMs: 60_000 });
      await world.api.turn(chat.id, "slow 10\n$ echo both");
      const seen = (await reading).filter(({ seq }) => seq !== undefined);
      const stored = await world.api.history(chat.id);
      expect(seen.map(({ seq }) => seq)).toEqual(stored.slice(0, seen.length).map(({ seq }) => seq));
    }));

  test("R3: store a message once that is sent ten times to both", () =>
    withReplica(async (world, { client }) => {
      const { chat } = await world.api.ready({});
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 ? client : world.api).send(chat.id, "say once", "the-message"),
        ),
      );
      expect(new Set(answers.map(({ turn }) => turn.id)).size).toBe(1);
      await client.finished(chat.id, answers[0]?.turn.id ?? "");
      expect((await client.messages(chat.id)).messages.length).toBe(2);
    }));

  test("R6: a process that starts during a long step does not run it again", () =>
    inWorld(async (world) => {
      const api = await world.boot();
      const { chat } = await api.ready({});
      const sent = await api.send(chat.id, "$ date >> log; sleep 25; echo slept\nslow 5");
      await api.collect(chat.id, (event) => event.kind === "action" && event.name === "run", { after: 0 });
      const replica = await join(world);
      try {
        const turn = await api.finished(chat.id, sent.turn.id);
        expect(turn.state).toBe("completed");
        const calls = await world.sql<{ attempts: number }>("SELECT attempts FROM tool_calls WHERE turn_id = $1", [
          sent.turn.id,
        ]);
        expect(calls.map(({ attempts }) => attempts)).toEqual([1]);
        const probe = await api.turn(chat.id, "$ wc -l < log");
        expect(outputOf(toolParts(probe.message)[0])).toMatch(/"?1\\n/);
      } finally {
        await replica.end();
      }
    }));

  test("R7: the survivor finishes the turn of a process that was killed, within 60 s", () =>
    withReplica(async (world, replica) => {
      const { chat } = await world.api.ready({});
      const sent = await world.api.send(chat.id, "slow 100\n$ echo done");
      const owner = await poll(
        async () =>
          (
            await world.sql<{ owner: string | null }>("SELECT exec_owner AS owner FROM turns WHERE id = $1", [
              sent.turn.id,
            ])
          )[0],
        (row) => Boolean(row?.owner),
        { everyMs: 50, what: "an owner of the turn" },
      );
      const onReplica = owner?.owner?.split("/")[1] === String(replica.pid);
      const survivor = onReplica ? world.api : replica.client;
      if (onReplica) await replica.kill();
      else await world.kill();
      const turn = await survivor.finished(chat.id, sent.turn.id, 60_000);
      expect(turn.state).toBe("completed");
      expect(turn.text.match(/\bw100\b/g)?.length).toBe(1);
      if (!onReplica) await world.boot();
    }));
});
