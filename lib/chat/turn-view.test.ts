import { expect, it } from "vitest";
import { turnView } from "./contract";
import { toTurnView } from "./turn-store";

const row = {
  id: "t1",
  state: "waiting_for_user" as const,
  reason: "Waits for your answer.",
  startedAt: new Date("2026-01-01T00:00:00.000Z"),
  endedAt: null,
  waiting: { kind: "question" as const, toolCallId: "c1" },
};

it("tells when a turn began and ended, and what it asks for while it waits", () => {
  expect(turnView.parse(toTurnView(row))).toEqual({
    ...{ id: "t1", state: "waiting_for_user", reason: "Waits for your answer." },
    ...{ startedAt: "2026-01-01T00:00:00.000Z", endedAt: null, waitingFor: "question" },
  });
  const ended = { ...row, state: "completed" as const, endedAt: new Date("2026-01-01T00:00:09.000Z") };
  expect(toTurnView(ended)).toMatchObject({ endedAt: "2026-01-01T00:00:09.000Z", waitingFor: null });
});
