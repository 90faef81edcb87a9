import { expect, it } from "vitest";
import {
  eventWords,
  isOnItsWay,
  resumeWords,
  SANDBOX_WORDS,
  stateDetail,
  statusPollMs,
} from "@/components/session/sandbox-words";
import { PASSING_STATES, SANDBOX_STATES, type SandboxView } from "@/lib/sandbox/contract";

const resting: SandboxView = {
  state: "active",
  wanted: "awake",
  reason: null,
  since: "2026-01-01T00:00:00.000Z",
  deadlineAt: null,
  hibernateAt: null,
  snapshot: null,
  error: null,
  busy: false,
  ports: [],
  idleTimeoutSeconds: 1800,
  version: 1,
};

it("names every state and agrees with the contract on which ones are passed through", () => {
  for (const state of SANDBOX_STATES) expect(SANDBOX_WORDS[state].passing).toBe(PASSING_STATES.has(state));
});

it("asks each 15 s at rest and each 2 s while something changes or nothing is known", () => {
  expect(statusPollMs(resting)).toBe(15_000);
  expect(statusPollMs({ ...resting, state: "restoring" })).toBe(2_000);
  expect(statusPollMs(undefined)).toBe(2_000);
});

it("counts a wish that is not met as being on the way, a failure not", () => {
  const wished = { ...resting, state: "hibernated" as const };
  expect(isOnItsWay(wished)).toBe(true);
  expect(isOnItsWay({ ...wished, state: "failed" })).toBe(false);
});

it("says in words why a state changed, and shows a sentence as it is", () => {
  expect(eventWords({ event: "fall_asleep", reason: "idle" })).toBe("Nothing happened for a while");
  expect(eventWords({ event: "sealed", reason: null })).toBe("The snapshot is made and checked");
  expect(eventWords({ event: "rebuild", reason: "the snapshot is damaged" })).toBe("the snapshot is damaged");
});

it("says beside the state what goes on and when it will sleep", () => {
  const now = Date.parse("2026-01-01T00:00:00.000Z");
  expect(stateDetail({ ...resting, busy: true }, now)).toBe("The agent is at work");
  expect(stateDetail({ ...resting, hibernateAt: "2026-01-01T00:28:30.000Z" }, now)).toBe("Sleeps in 28 min");
  expect(stateDetail({ ...resting, hibernateAt: "2026-01-01T00:00:30.000Z" }, now)).toBe("Sleeps in a moment");
  const snapshot = { id: "s", at: "2026-01-01T00:00:00.000Z", sizeBytes: 12_400_000 };
  expect(stateDetail({ ...resting, state: "hibernated", snapshot }, now)).toBe("All files kept (12 MB)");
  for (const state of SANDBOX_STATES) expect(stateDetail({ ...resting, state }, now)).not.toBe("");
});

it("names the servers that Resume starts again", () => {
  expect(resumeWords(resting)).not.toContain("Started again");
  expect(resumeWords({ ...resting, ports: [{ port: 3000, command: "npm run dev" }] })).toContain("npm run dev");
});
