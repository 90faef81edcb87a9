import { describe, expect, test } from "vitest";
import { TURN_STATES, type TurnState } from "./contract";
import { decideTurn, isFinished, nextTurnState, TURN_EVENTS, type TurnEvent, type TurnFacts } from "./turn";

const LEGAL: Readonly<Record<TurnState, Partial<Record<TurnEvent, TurnState>>>> = {
  queued: { begin: "running", stop: "stopped" },
  running: {
    ask: "waiting_for_user",
    complete: "completed",
    fail: "failed",
    stop: "stopped",
    interrupt: "interrupted",
  },
  waiting_for_user: { begin: "running", stop: "stopped", interrupt: "interrupted" },
  completed: {},
  failed: {},
  stopped: {},
  interrupted: {},
};

describe("every pair of state and event", () => {
  for (const state of TURN_STATES) {
    for (const event of TURN_EVENTS) {
      const to = LEGAL[state][event] ?? null;
      test(`${state} + ${event} → ${to ?? "cannot happen"}`, () => expect(nextTurnState(state, event)).toBe(to));
    }
  }
  test("a finished turn stays as it is", () => {
    for (const state of TURN_STATES) expect(isFinished(state)).toBe(Object.keys(LEGAL[state]).length === 0);
  });
});

const facts = (patch: Partial<TurnFacts> = {}): TurnFacts => ({
  stopRequested: false,
  stepAllowance: 10,
  costAllowanceUsd: null,
  session: { stepsLeft: null, costLeftUsd: null },
  stuck: false,
  costUsd: null,
  steps: [],
  calls: [],
  ...patch,
});
const call = (id: string, patch: Partial<TurnFacts["calls"][number]> = {}) => ({
  id,
  readOnly: false,
  waitsForPerson: false,
  state: "pending" as const,
  ...patch,
});

describe("what comes next in a turn", () => {
  test("a new turn asks the model", () => expect(decideTurn(facts())).toEqual({ do: "model", step: 0 }));

  test("a step without tool calls ends the turn", () => {
    expect(decideTurn(facts({ steps: [{ finishReason: "stop" }] }))).toEqual({ do: "finish", event: "complete" });
  });

  test("when all calls of a step are done the model is asked again", () => {
    expect(
      decideTurn(facts({ steps: [{ finishReason: "tool-calls" }], calls: [call("a", { state: "done" })] })),
    ).toEqual({ do: "model", step: 1 });
  });

  test("calls that write run one at a time and in order, reads that follow each other run together", () => {
    const steps = [{ finishReason: "tool-calls" }];
    const calls = [
      call("w1", { state: "done" }),
      call("r1", { readOnly: true }),
      call("r2", { readOnly: true }),
      call("w2"),
      call("r3", { readOnly: true }),
    ];
    expect(decideTurn(facts({ steps, calls }))).toEqual({ do: "tools", callIds: ["r1", "r2"] });
    const later = calls.map((item) => (item.readOnly && item.id !== "r3" ? { ...item, state: "done" as const } : item));
    expect(decideTurn(facts({ steps, calls: later }))).toEqual({ do: "tools", callIds: ["w2"] });
  });

  test("a call that was running when the process died is run again, not skipped", () => {
    expect(
      decideTurn(facts({ steps: [{ finishReason: "tool-calls" }], calls: [call("a", { state: "running" })] })),
    ).toEqual({ do: "tools", callIds: ["a"] });
  });

  test("a question pauses the turn", () => {
    expect(
      decideTurn(facts({ steps: [{ finishReason: "tool-calls" }], calls: [call("q", { waitsForPerson: true })] })),
    ).toEqual({ do: "ask", kind: "question", callId: "q" });
  });

  test("stop wins over everything", () => {
    expect(decideTurn(facts({ stopRequested: true, calls: [call("a")] }))).toEqual({ do: "finish", event: "stop" });
  });

  test("the step limit and the money limit pause the turn and ask", () => {
    const steps = [{ finishReason: "tool-calls" }];
    const calls = [call("a", { state: "done" })];
    expect(decideTurn(facts({ steps, calls, stepAllowance: 1 }))).toEqual({ do: "ask", kind: "steps" });
    expect(decideTurn(facts({ steps, calls, costAllowanceUsd: 1, costUsd: 1 }))).toEqual({ do: "ask", kind: "money" });
    expect(decideTurn(facts({ steps, calls, costAllowanceUsd: 1, costUsd: 0.99 }))).toEqual({ do: "model", step: 1 });
  });
});
