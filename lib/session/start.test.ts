import { expect, test } from "vitest";
import { START_PHASES } from "./contract";
import {
  appendOutput,
  beginPhase,
  clipOutput,
  currentPhase,
  endPhase,
  newPhases,
  PHASE_LIMIT_MS,
  redoAfter,
  reopenPhases,
  usualDurations,
} from "./start";

const NOW = new Date("2026-01-01T00:00:00Z");

test("phases come in the order of the design and none is skipped silently", () => {
  let phases = newPhases();
  const seen: string[] = [];
  for (let name = currentPhase(phases); name; name = currentPhase(phases)) {
    seen.push(name);
    phases = endPhase(beginPhase(phases, name, NOW), name, seen.length === 4 ? "skipped" : "done", null, NOW);
  }
  expect(seen).toEqual([...START_PHASES]);
  expect(phases.map((phase) => phase.state)).toEqual(["done", "done", "done", "skipped", "done", "done", "done"]);
});

test("a phase that runs has a deadline, and keeps its start time when a crash makes it run again", () => {
  const later = new Date(NOW.getTime() + 60_000);
  const phase = beginPhase(beginPhase(newPhases(), "WORKING", NOW), "WORKING", later)[0];
  expect(phase).toMatchObject({
    startedAt: NOW.toISOString(),
    deadlineAt: new Date(later.getTime() + PHASE_LIMIT_MS.WORKING).toISOString(),
  });
});

test("a retry goes on from the phase that failed; what was done stays done", () => {
  let phases = newPhases();
  for (const name of ["WORKING", "WAITING_FOR_SANDBOX", "PREPARING_REPOSITORY"] as const)
    phases = endPhase(phases, name, "done", null, NOW);
  phases = endPhase(appendOutput(phases, "RUNNING_SETUP_SCRIPT", "boom"), "RUNNING_SETUP_SCRIPT", "failed", "no", NOW);
  const reopened = reopenPhases(phases);
  expect(reopened.map((phase) => phase.state).slice(0, 4)).toEqual(["done", "pending", "done", "pending"]);
  expect(reopened[3]).toMatchObject({ output: "", detail: null });
  // The sandbox is brought up again, then the failed phase is next.
  expect(currentPhase(endPhase(reopened, "WAITING_FOR_SANDBOX", "done", null, NOW))).toBe("RUNNING_SETUP_SCRIPT");
});

test("in a new sandbox everything after its making is done again", () => {
  let phases = newPhases({ PREPARING_REPOSITORY: 7 });
  for (const name of START_PHASES) phases = endPhase(phases, name, "done", null, NOW);
  const again = redoAfter(phases, "WAITING_FOR_SANDBOX");
  expect(currentPhase(again)).toBe("PREPARING_REPOSITORY");
  expect(again[2]).toMatchObject({ state: "pending", startedAt: null, usualMs: 7 });
  expect(again.slice(0, 2)).toEqual(phases.slice(0, 2));
});

test("output keeps its newest part, and of a progress bar only the last line", () => {
  expect(clipOutput("Receiving 1%\rReceiving 50%\rReceiving 100%\ndone\n")).toBe("Receiving 100%\ndone\n");
  expect(clipOutput("x".repeat(20_000)).length).toBe(16_000);
});

test("usual durations are medians of phases that were done", () => {
  const run = (ms: number) =>
    endPhase(beginPhase(newPhases(), "WORKING", NOW), "WORKING", "done", null, new Date(NOW.getTime() + ms));
  expect(usualDurations([run(10), run(1000), run(20)])).toEqual({ WORKING: 20 });
  expect(usualDurations([])).toEqual({});
});
