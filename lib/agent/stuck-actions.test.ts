import { expect, test } from "vitest";
import { findStuck, type StuckFacts } from "./stuck-actions";

type Call = StuckFacts["calls"][number];
const call = (step: number, more: Partial<Call> = {}): Call => ({
  ...{
    step,
    name: "bash",
    input: { command: "ls" },
    output: { stdout: "a", durationMs: step },
    ok: true,
    byPerson: false,
  },
  ...more,
});
const look = (calls: readonly Call[], more: Partial<StuckFacts> = {}) =>
  findStuck({
    steps: Array.from({ length: Math.max(...calls.map(({ step }) => step)) + 1 }, (_, step) => ({ step, said: "" })),
    calls,
    fromStep: 0,
    nudgedBeforeStep: null,
    ...more,
  });
const steps = (n: number, more: (step: number) => Partial<Call> = () => ({})) =>
  Array.from({ length: n }, (_, step) => call(step, more(step)));

test("the same call with the same result is found, whatever time it took", () => {
  expect(look(steps(3)).kind).toBe("free");
  expect(look(steps(4))).toMatchObject({ kind: "nudge", pattern: "same_result" });
});

test("the same error is found sooner, and two calls in turn later", () => {
  expect(look(steps(3, () => ({ ok: false })))).toMatchObject({ kind: "nudge", pattern: "same_error" });
  const inTurn = (n: number) => steps(n, (step) => ({ input: { command: step % 2 === 0 ? "a" : "b" } }));
  expect(look(inTurn(5)).kind).toBe("free");
  expect(look(inTurn(6))).toMatchObject({ kind: "nudge", pattern: "alternating" });
});

test("after a nudge it counts anew, and the next finding asks", () => {
  expect(look(steps(7), { nudgedBeforeStep: 4 }).kind).toBe("free");
  expect(look(steps(8), { nudgedBeforeStep: 4 })).toMatchObject({ kind: "ask" });
});

test("what came before a person spoke does not count, be it a message or an answer to a question", () => {
  expect(look(steps(7), { fromStep: 4 }).kind).toBe("free");
  const asked = [...steps(3), call(3, { byPerson: true }), ...steps(3).map((one) => ({ ...one, step: one.step + 4 }))];
  expect(look(asked).kind).toBe("free");
});
