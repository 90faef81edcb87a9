import { describe, expect, test } from "vitest";
import { outputOf, toolParts, turnOf } from "@/tests/api/client";
import { poll } from "@/tests/api/poll";
import type { StreamedEvent } from "@/tests/api/sse";
import { isAlive, sandboxProcesses } from "@/tests/fixtures/processes";
import { replayText } from "./replay";
import { inWorld, type World } from "./world";

const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index + 1}`).join(" ");

/** A story that begins with a server that runs. */
const alive = (story: (world: World) => Promise<void>) =>
  inWorld(async (world) => {
    await world.boot();
    await story(world);
  });

const isTextDelta = (event: StreamedEvent) => (event.chunk as { type?: string } | undefined)?.type === "text-delta";

describe("a turn", () => {
  test("R4: killed after any word goes on, says everything once, and readers are told to reset the step", () =>
    alive(async (world) => {
      const { chat } = await world.api.ready({});
      for (const after of [0, 1, 10, 19]) {
        const sent = await world.api.send(chat.id, "slow 20");
        const { eventSeq } = await world.api.messages(chat.id);
        let seen = 0;
        await world.api.collect(
          chat.id,
          (event) => {
            if (isTextDelta(event)) seen += ((event.chunk as { delta: string }).delta.match(/w\d+/g) ?? []).length;
            return after === 0 ? turnOf(event)?.state === "running" || seen > 0 : seen >= after;
          },
          { after: eventSeq - 1, timeoutMs: 60_000 },
        );
        await world.kill();
        const api = await world.boot();
        const turn = await api.finished(chat.id, sent.turn.id, 60_000);
        expect(turn.state).toBe("completed");
        expect(turn.text.split(words(20)).length, turn.text).toBe(2);
        const history = await api.history(chat.id);
        expect(replayText(history, sent.turn.id)).toBe(turn.text);
        const resets = history.filter((event) => event.turnId === sent.turn.id && event.name === "reset-step");
        expect(resets.length).toBeLessThanOrEqual(1);
        if (after === 10) expect(resets.length).toBe(1);
      }
    }));

  test("R5: killed during a command attaches again and reports the real result; the command ran once", () =>
    alive(async (world) => {
      const { chat } = await world.api.ready({});
      const sent = await world.api.send(chat.id, "$ date >> log; sleep 8; echo after-the-sleep");
      await world.api.collect(chat.id, (event) => event.kind === "action" && event.name === "run", { after: 0 });
      await world.kill();
      const api = await world.boot();
      const turn = await api.finished(chat.id, sent.turn.id);
      expect(turn.state).toBe("completed");
      expect(outputOf(toolParts(turn.message)[0])).toContain("after-the-sleep");
      const probe = await api.turn(chat.id, "$ wc -l < log");
      expect(outputOf(toolParts(probe.message)[0])).toMatch(/"?1\\n/);
    }));

  test("R8: whose process dies four times in one step ends within a minute, completed or interrupted in words", () =>
    alive(async (world) => {
      const { chat } = await world.api.ready({});
      const sent = await world.api.send(chat.id, "slow 60");
      for (let death = 0; death < 4; death += 1) {
        const { eventSeq } = await world.api.messages(chat.id);
        await world.api.collect(chat.id, isTextDelta, { after: eventSeq });
        await world.kill();
        await world.boot();
      }
      const turn = await world.api.finished(chat.id, sent.turn.id, 60_000);
      expect(["completed", "interrupted"]).toContain(turn.state);
      if (turn.state === "completed") expect(turn.text).toContain(words(60));
      else expect(turn.reason?.length ?? 0).toBeGreaterThan(10);
      expect((await world.api.turn(chat.id, "say on")).state).toBe("completed");
    }));

  test("R9: survives the loss of every database connection ten times, and so do its readers", () =>
    alive(async (world) => {
      const { chat } = await world.api.ready({});
      const sent = await world.api.send(chat.id, "slow 110\n$ echo through");
      const reading = world.api.collect(
        chat.id,
        (event) => turnOf(event)?.id === sent.turn.id && turnOf(event)?.state === "completed",
        { timeoutMs: 90_000 },
      );
      // A reader is one that has been let in: whoever asks at the very moment of a cut is told to ask again.
      await world.api.collect(chat.id, isTextDelta);
      for (let cut = 0; cut < 10; cut += 1) {
        await world.sql(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
        );
        await new Promise((resolve) => setTimeout(resolve, 1_000)); // the fault itself: one cut a second
        expect(isAlive(world.server.pid)).toBe(true);
      }
      const turn = await world.api.finished(chat.id, sent.turn.id, 60_000);
      expect(turn.state).toBe("completed");
      expect(turn.text).toContain(words(110));
      const seen = (await reading).filter(({ seq }) => seq !== undefined);
      expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1));
      expect((await world.api.get("/api/readyz")).status).toBe(200);
    }));

  test("R19: whose sandbox is killed behind our back ends, and the sandbox comes back by itself", () =>
    alive(async (world) => {
      const { chat, session } = await world.api.ready({});
      await world.api.turn(chat.id, "write kept.txt: kept");
      await world.api.asleep(session.id);
      await world.api.turn(chat.id, "say awake");
      const sent = await world.api.send(chat.id, "$ sleep 30; echo never");
      await world.api.collect(chat.id, (event) => event.kind === "action" && event.name === "run", { after: 0 });
      await killSandboxes(world);
      const turn = await world.api.finished(chat.id, sent.turn.id, 60_000);
      expect(["completed", "failed", "interrupted"]).toContain(turn.state);
      expect(outputOf(toolParts(turn.message)[0])).not.toContain("never");
      expect(turn.events.filter(({ kind }) => kind === "observation").length).toBe(1);
      const next = await world.api.turn(chat.id, "$ cat kept.txt");
      expect(outputOf(toolParts(next.message)[0])).toContain("kept");

      await killSandboxes(world);
      const after = await world.api.turn(chat.id, "$ cat kept.txt");
      expect(outputOf(toolParts(after.message)[0])).toContain("kept");
      expect((await world.api.sandbox(session.id)).state).toBe("active");
    }));

  test("R16: a message at the very moment of falling asleep is answered, and the sandbox is never active but stopped", () =>
    alive(async (world) => {
      const { chat, session } = await world.api.ready({ idleTimeoutSeconds: 1 });
      for (let round = 0; round < 8; round += 1) {
        const moment = await poll(
          () => world.api.sandbox(session.id),
          ({ state, hibernateAt }) =>
            round % 2 === 0
              ? state === "hibernating" || state === "hibernated"
              : hibernateAt !== null && Date.parse(hibernateAt) - Date.now() < 60,
          { timeoutMs: 20_000, everyMs: 15, what: "the idle deadline" },
        );
        expect(moment.state).toBeDefined();
        const turn = await world.api.turn(chat.id, `$ echo round ${round}`);
        expect(turn.state).toBe("completed");
        expect(outputOf(toolParts(turn.message)[0])).toContain(`round ${round}`);
      }
    }));
});

/** Kills every process of the world's sandboxes as the kernel would under memory pressure. */
async function killSandboxes(world: World): Promise<void> {
  const ids = new Set(
    (await world.sql<{ id: string }>("SELECT id || '-' || generation AS id FROM sandboxes")).map(({ id }) => id),
  );
  for (const { pid, sandboxId } of sandboxProcesses()) if (ids.has(sandboxId)) process.kill(pid, "SIGKILL");
}
