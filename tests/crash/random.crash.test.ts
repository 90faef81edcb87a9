import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { CreateSessionView } from "@/lib/session/contract";
import type { Client } from "@/tests/api/client";
import { poll } from "@/tests/api/poll";
import { attempt, inWorld } from "./world";

const ROUNDS = 4;

/** A small generator of numbers in [0, 1) that gives the same ones for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** properties.md, R24. Set `DORMOUSE_SEED` to the printed number to run the same sequence again. */
const seed = Number(process.env.DORMOUSE_SEED ?? Math.floor(Math.random() * 1_000_000));

describe("kill -9 at random moments", () => {
  test(
    `loses and doubles nothing that was acknowledged (DORMOUSE_SEED=${seed})`,
    () =>
      inWorld(async (world) => {
        console.log(`DORMOUSE_SEED=${seed}`);
        const random = randomFrom(seed);
        const made: CreateSessionView[] = [];
        /** Message id → chat id, of those that were answered with 202. */
        const acknowledged = new Map<string, string>();
        for (let round = 0; round < ROUNDS; round += 1) {
          const api = await world.boot();
          const deadline = performance.now() + 500 + random() * 4_000;
          while (performance.now() < deadline) {
            await attempt(() => doSomething(api, random, made, acknowledged));
            await new Promise((resolve) => setTimeout(resolve, random() * 400)); // the seeded rhythm of the sequence
          }
          await world.kill();
        }
        const api = await world.boot();
        for (const { session } of made) expect((await api.started(session.id, 120_000)).status).toBe("READY");
        await poll(
          () =>
            world.sql("SELECT id, state, reason FROM turns WHERE state IN ('queued', 'running', 'waiting_for_user')"),
          (open) => open.length === 0,
          { timeoutMs: 120_000, everyMs: 500, what: "every turn to end" },
        );
        expect(acknowledged.size).toBeGreaterThan(0);
        for (const [id, chatId] of acknowledged) {
          const { messages } = await api.messages(chatId, "?limit=100");
          const mine = messages.filter((message) => message.id === id);
          expect(mine.length, `message ${id}`).toBe(1);
          const turnId = mine[0]?.metadata?.turnId;
          const answers = messages.filter(({ role, metadata }) => role === "assistant" && metadata?.turnId === turnId);
          const [turn] = await world.sql<{ state: string }>("SELECT state FROM turns WHERE id = $1", [turnId]);
          expect(["completed", "stopped"], `turn of ${id}`).toContain(turn?.state);
          if (turn?.state === "completed") expect(answers.length, `answers to ${id}`).toBe(1);
          else expect(answers.length, `answers to ${id}`).toBeLessThanOrEqual(1);
        }
      }),
    400_000,
  );
});

/** One random act of a person. */
async function doSomething(
  api: Client,
  random: () => number,
  made: CreateSessionView[],
  acknowledged: Map<string, string>,
): Promise<void> {
  const pick = random();
  if (made.length < 4 && (pick < 0.3 || made.length === 0)) {
    made.push(await api.create({ id: randomUUID(), idleTimeoutSeconds: random() < 0.5 ? 1 : 600 }));
    return;
  }
  const target = made[Math.floor(random() * made.length)];
  if (!target) return;
  if (pick < 0.75) {
    const id = `m-${acknowledged.size}-${Math.floor(random() * 1e9)}`;
    const words = `slow ${1 + Math.floor(random() * 15)}`;
    const command = `$ echo ${id} >> log; sleep ${random().toFixed(2)}`;
    await api.send(target.chat.id, random() < 0.5 ? words : command, id);
    acknowledged.set(id, target.chat.id);
  } else if (pick < 0.85) await api.post(`/api/sessions/${target.session.id}/sandbox/hibernate`, {});
  else if (pick < 0.95) await api.post(`/api/sessions/${target.session.id}/sandbox/resume`);
  else await api.post(`/api/chats/${target.chat.id}/stop`);
}
