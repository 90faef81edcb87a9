import { expect, it } from "vitest";
import { endedWords, isPaused, statusWords, turnDurationMs } from "@/components/chat/turn-words";
import type { TurnView } from "@/lib/chat/contract";

const turn = (state: TurnView["state"], more: Partial<TurnView> = {}): TurnView => ({
  id: "t1",
  state,
  reason: null,
  ...more,
});
const facts = { running: null, queued: null, stuck: false, connection: "live" as const };
const START = "2026-01-01T00:00:00.000Z";
const at = (seconds: number) => Date.parse(START) + seconds * 1_000;

it("counts the time of a turn from its beginning to its end, or to now", () => {
  expect(turnDurationMs(turn("queued"), at(9))).toBeNull();
  expect(turnDurationMs(turn("running", { startedAt: START }), at(9))).toBe(9_000);
  const ended = turn("completed", { startedAt: START, endedAt: "2026-01-01T00:00:05.000Z" });
  expect(turnDurationMs(ended, at(9))).toBe(5_000);
  // The clock of this machine may be behind the server's.
  expect(turnDurationMs(turn("running", { startedAt: START }), at(-3))).toBe(0);
});

it("says one thing at a time, the most pressing first", () => {
  const running = turn("running", { startedAt: START });
  expect(statusWords({ ...facts, running }, at(72))?.text).toBe("Working… 1 min 12 s");
  expect(statusWords({ ...facts, running, connection: "retrying" }, at(1))?.text).toMatch(/connection was lost/);
  expect(
    statusWords({ ...facts, queued: turn("queued", { reason: "Waits for the sandbox." }), stuck: true }, 0),
  ).toEqual({
    text: "Waits for the sandbox.",
    spinning: false,
  });
  const paused = turn("waiting_for_user", { waitingFor: "session_money", reason: "Many words." });
  expect(statusWords({ ...facts, running: paused }, 0)?.text).toBe("Paused at a limit.");
  expect(statusWords(facts, 0)).toBeNull();
});

it("says how a turn ended that did not end well, and what to do", () => {
  expect(endedWords(turn("completed"))).toBeNull();
  expect(endedWords(turn("stopped", { reason: "Stopped." }))).toEqual({ text: "Stopped.", next: null });
  expect(endedWords(turn("failed", { reason: "No credit." }))).toMatchObject({ text: "The turn failed. No credit." });
  expect(endedWords(turn("failed"))?.next).toMatch(/Send a message/);
});

it("tells a pause at a limit from a question", () => {
  expect(isPaused(turn("waiting_for_user", { waitingFor: "steps" }))).toBe(true);
  expect(isPaused(turn("waiting_for_user", { waitingFor: "question" }))).toBe(false);
  expect(isPaused(turn("waiting_for_user", { waitingFor: null }))).toBe(false);
  expect(isPaused(null)).toBe(false);
});
