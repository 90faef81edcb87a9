import { describe, expect, test } from "vitest";
import { SANDBOX_STATES, type SandboxState, WANTED } from "./contract";
import {
  decideLifecycle,
  idleUntil,
  LIFECYCLE_EVENTS,
  type LifecycleEvent,
  type LifecycleFacts,
  type LifecycleRow,
  nextState,
} from "./lifecycle";

const NOW = new Date("2026-01-01T12:00:00Z");
const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);
const row = (patch: Partial<LifecycleRow>): LifecycleRow => ({
  state: "active",
  wanted: "awake",
  wantedReason: null,
  slot: true,
  retryAt: null,
  activityAt: minutesAgo(1),
  idleTimeoutSeconds: 1800,
  ...patch,
});
const facts = (patch: Partial<LifecycleFacts> = {}): LifecycleFacts => ({
  busy: false,
  connected: false,
  starting: false,
  ...patch,
});

/** The law of design.md, section 3, written a second time on purpose. */
const LEGAL: Readonly<Record<SandboxState, Partial<Record<LifecycleEvent, SandboxState>>>> = {
  provisioning: { ready: "active", gave_up: "failed", archive: "archiving" },
  active: { fall_asleep: "hibernating", lost: "restoring", archive: "archiving" },
  hibernating: { sealed: "hibernated", seal_failed: "active", archive: "archiving" },
  hibernated: { wake: "restoring", archive: "archiving" },
  restoring: { ready: "active", rebuild: "restoring", gave_up: "failed", archive: "archiving" },
  failed: { retry_start: "provisioning", retry_restore: "restoring", archive: "archiving" },
  archiving: { destroyed: "archived", keep_failed: "failed" },
  archived: { unarchive: "provisioning" },
};

describe("every pair of state and event", () => {
  for (const state of SANDBOX_STATES) {
    for (const event of LIFECYCLE_EVENTS) {
      const to = LEGAL[state][event] ?? null;
      test(`${state} + ${event} → ${to ?? "cannot happen"}`, () => expect(nextState(state, event)).toBe(to));
    }
  }
});

describe("every pair of state and what is wanted", () => {
  const moves = (event: string, reason: string | null = null) => ({ do: "move", event, reason });
  const effect = (name: string) => ({ do: "effect", effect: name });
  const rest = { do: "rest" };
  const wait = { do: "wait", until: idleUntil(row({})) };
  const table: Readonly<Record<SandboxState, Readonly<Record<(typeof WANTED)[number], unknown>>>> = {
    provisioning: {
      awake: rest,
      asleep: rest,
      archived: moves("archive", "archived"),
      deleted: moves("archive", "deleted"),
    },
    active: {
      awake: wait,
      asleep: moves("fall_asleep", "requested"),
      archived: moves("archive", "archived"),
      deleted: moves("archive", "deleted"),
    },
    hibernating: {
      awake: effect("hibernate"),
      asleep: effect("hibernate"),
      archived: moves("archive", "archived"),
      deleted: moves("archive", "deleted"),
    },
    hibernated: {
      awake: moves("wake"),
      asleep: rest,
      archived: moves("archive", "archived"),
      deleted: moves("archive", "deleted"),
    },
    restoring: {
      awake: effect("restore"),
      asleep: effect("restore"),
      archived: moves("archive", "archived"),
      deleted: moves("archive", "deleted"),
    },
    failed: { awake: rest, asleep: rest, archived: moves("archive", "archived"), deleted: moves("archive", "deleted") },
    archiving: {
      awake: effect("archive"),
      asleep: effect("archive"),
      archived: effect("archive"),
      deleted: effect("archive"),
    },
    archived: { awake: rest, asleep: rest, archived: rest, deleted: effect("archive") },
  };
  for (const state of SANDBOX_STATES) {
    for (const wanted of WANTED) {
      test(`${state}, wanted ${wanted}`, () =>
        expect(decideLifecycle(row({ state, wanted }), facts(), NOW)).toEqual(table[state][wanted]));
    }
  }
});

describe("idle", () => {
  test("exactly at the timeout it falls asleep, a millisecond before it waits", () => {
    const due = row({ activityAt: minutesAgo(30) });
    expect(decideLifecycle(due, facts(), NOW)).toEqual({ do: "move", event: "fall_asleep", reason: "idle" });
    expect(decideLifecycle(due, facts(), new Date(NOW.getTime() - 1))).toEqual({ do: "wait", until: NOW });
  });

  test("a queued or running turn keeps it awake however long ago the last activity was", () => {
    expect(decideLifecycle(row({ activityAt: minutesAgo(600) }), facts({ busy: true }), NOW)).toEqual({ do: "rest" });
  });

  test("an open terminal, editor or preview keeps it awake", () => {
    expect(decideLifecycle(row({ activityAt: minutesAgo(600) }), facts({ connected: true }), NOW)).toEqual({
      do: "rest",
    });
  });

  test("asked to sleep while a turn is being stopped, it sleeps after the turn", () => {
    expect(decideLifecycle(row({ wanted: "asleep" }), facts({ busy: true }), NOW)).toEqual({ do: "rest" });
  });

  test("after a failed seal it is tried again at retry_at and not before", () => {
    const retryAt = new Date(NOW.getTime() + 5_000);
    expect(decideLifecycle(row({ wanted: "asleep", retryAt }), facts(), NOW)).toEqual({ do: "wait", until: retryAt });
    expect(decideLifecycle(row({ wanted: "asleep", retryAt }), facts(), retryAt)).toMatchObject({
      do: "move",
      event: "fall_asleep",
    });
    expect(decideLifecycle(row({ activityAt: minutesAgo(60), retryAt }), facts(), NOW)).toEqual({
      do: "wait",
      until: retryAt,
    });
  });
});

describe("places and starts", () => {
  test("a sleeping sandbox without a place stays asleep until it gets one", () => {
    expect(decideLifecycle(row({ state: "hibernated", slot: false }), facts(), NOW)).toEqual({ do: "rest" });
  });

  test("a rebuild is driven by its start, not by the lifecycle", () => {
    expect(decideLifecycle(row({ state: "restoring" }), facts({ starting: true }), NOW)).toEqual({ do: "rest" });
  });

  test("a failed restore or archive waits for its next try", () => {
    const retryAt = new Date(NOW.getTime() + 1);
    for (const state of ["restoring", "archiving"] as const) {
      expect(decideLifecycle(row({ state, retryAt }), facts(), NOW)).toEqual({ do: "wait", until: retryAt });
    }
  });
});
