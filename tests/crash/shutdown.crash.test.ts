import { describe, expect, test } from "vitest";
import { outputOf, toolParts } from "@/tests/api/client";
import { sandboxProcesses } from "@/tests/fixtures/processes";
import { inWorld, type World } from "./world";

async function sandboxIds(world: World): Promise<Set<string>> {
  return new Set(
    (await world.sql<{ id: string }>("SELECT id || '-' || generation AS id FROM sandboxes")).map(({ id }) => id),
  );
}

describe("ending the process", () => {
  test("R23: SIGTERM under load ends within 30 s, loses no turn, and leaves the sandboxes for adoption", () =>
    inWorld(async (world) => {
      const api = await world.boot();
      const made = await Promise.all(Array.from({ length: 4 }, () => api.ready({})));
      const sent = [];
      for (const [index, { chat }] of made.entries()) {
        sent.push(
          await api.send(chat.id, index % 2 === 0 ? "slow 80\nsay whole" : "$ date >> log; sleep 8; echo whole"),
        );
      }
      for (const { chat } of made) {
        await api.collect(chat.id, (event) => event.kind === "delta" || event.name === "run", { after: 0 });
      }
      const ids = await sandboxIds(world);
      expect(await world.signal("SIGTERM")).toBeLessThan(30_000);
      expect(sandboxProcesses().filter(({ sandboxId }) => ids.has(sandboxId)).length).toBeGreaterThanOrEqual(4);

      const again = await world.boot();
      for (const [index, { chat }] of made.entries()) {
        const turn = await again.finished(chat.id, sent[index]?.turn.id ?? "", 90_000);
        expect(turn.state).toBe("completed");
        expect(JSON.stringify(turn.message)).toContain("whole");
      }
    }));

  test("Ctrl-C seals every sandbox within 10 s; the next start finds the files", () =>
    inWorld(async (world) => {
      const api = await world.boot();
      const { chat, session } = await api.ready({});
      await api.turn(chat.id, "write kept.txt: kept over Ctrl-C");
      const ids = await sandboxIds(world);
      expect(await world.signal("SIGINT")).toBeLessThan(12_000);
      expect(sandboxProcesses().filter(({ sandboxId }) => ids.has(sandboxId))).toEqual([]);
      const again = await world.boot();
      expect(["hibernated", "active", "restoring"]).toContain((await again.sandbox(session.id)).state);
      const turn = await again.turn(chat.id, "$ cat kept.txt");
      expect(outputOf(toolParts(turn.message)[0])).toContain("kept over Ctrl-C");
    }));

  test("an idle kill -9 leaves a sandbox whose processes go on and are adopted", () =>
    inWorld(async (world) => {
      const api = await world.boot();
      const { chat } = await api.ready({});
      await api.turn(
        chat.id,
        "$ (setsid sh -c 'while :; do date +%s%N > tick; sleep 0.2; done' >/dev/null 2>&1 &); echo started",
      );
      await world.kill();
      const again = await world.boot();
      const turn = await again.turn(
        chat.id,
        '$ a=$(cat tick); sleep 1; b=$(cat tick); [ "$a" != "$b" ] && echo still-ticking',
      );
      expect(outputOf(toolParts(turn.message)[0])).toContain("still-ticking");
    }));
});
