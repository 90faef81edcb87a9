import type { SandboxState, Wanted } from "./contract";

/** What can happen to a sandbox. SANDBOX-LIFECYCLE.md explains each; a test holds the two together. */
export const LIFECYCLE_EVENTS = [
  "ready",
  "gave_up",
  "fall_asleep",
  "sealed",
  "seal_failed",
  "wake",
  "lost",
  "rebuild",
  "retry_start",
  "retry_restore",
  "archive",
  "destroyed",
  "keep_failed",
  "unarchive",
] as const;
export type LifecycleEvent = (typeof LIFECYCLE_EVENTS)[number];

/** The whole state machine (design.md, section 3). What is not listed cannot happen. */
export const TRANSITIONS = {
  provisioning: { ready: "active", gave_up: "failed", archive: "archiving" },
  active: { fall_asleep: "hibernating", lost: "restoring", archive: "archiving" },
  hibernating: { sealed: "hibernated", seal_failed: "active", archive: "archiving" },
  hibernated: { wake: "restoring", archive: "archiving" },
  restoring: { ready: "active", rebuild: "restoring", gave_up: "failed", archive: "archiving" },
  failed: { retry_start: "provisioning", retry_restore: "restoring", archive: "archiving" },
  archiving: { destroyed: "archived", keep_failed: "failed" },
  archived: { unarchive: "provisioning" },
} as const satisfies Record<SandboxState, Partial<Record<LifecycleEvent, SandboxState>>>;

/** The state that an event leads to, or null when it cannot happen in this state. */
export function nextState(state: SandboxState, event: LifecycleEvent): SandboxState | null {
  const row: Partial<Record<LifecycleEvent, SandboxState>> = TRANSITIONS[state];
  return row[event] ?? null;
}

/**
 * How long a passing state may take before its next try counts as overdue, in milliseconds. A try that is overdue is
 * cut and made again; no state is in progress without a deadline (design.md, section 2, rule 3).
 */
export const DEADLINE_MS = {
  provisioning: 40 * 60_000,
  hibernating: 120_000,
  restoring: 180_000,
  archiving: 10 * 60_000,
} as const;

export function deadlineMs(state: SandboxState): number | null {
  return state in DEADLINE_MS ? DEADLINE_MS[state as keyof typeof DEADLINE_MS] : null;
}

/** Tries to bring a sandbox back before it is given up, and pauses between tries. */
export const RESTORE_TRIES = 4;

/** What the decision needs to know of the row. */
export interface LifecycleRow {
  readonly state: SandboxState;
  readonly wanted: Wanted;
  readonly wantedReason: string | null;
  readonly slot: boolean;
  readonly retryAt: Date | null;
  readonly activityAt: Date;
  readonly idleTimeoutSeconds: number;
}

/** What the decision needs to know of the rest of the world, read in the same transaction. */
export interface LifecycleFacts {
  /** A queued or running turn; a fact, not a time. */
  readonly busy: boolean;
  /** An open terminal, editor or preview connection. */
  readonly connected: boolean;
  /** The start of this generation has not come to READY: it brings the sandbox up, not a restore. */
  readonly starting: boolean;
}

export type LifecycleDecision =
  /** One compare-and-set, nothing else. */
  | { readonly do: "move"; readonly event: LifecycleEvent; readonly reason: string | null }
  /** Something at the provider; its outcome is the next event. */
  | { readonly do: "effect"; readonly effect: "hibernate" | "restore" | "archive" }
  /** Look again then. */
  | { readonly do: "wait"; readonly until: Date }
  /** Nothing to do until somebody changes the row. */
  | { readonly do: "rest" };

const REST: LifecycleDecision = { do: "rest" };

/** Whether people or rules want the sandbox away for good. */
export function isLeaving(wanted: Wanted): boolean {
  return wanted === "archived" || wanted === "deleted";
}

/** When an idle sandbox is due to fall asleep (design.md, section 3, "Idle"). */
export function idleUntil(row: Pick<LifecycleRow, "activityAt" | "idleTimeoutSeconds">): Date {
  return new Date(row.activityAt.getTime() + row.idleTimeoutSeconds * 1000);
}

/** The next thing to do to bring `state` to `wanted`. Pure: `now` is the database's time. */
export function decideLifecycle(row: LifecycleRow, facts: LifecycleFacts, now: Date): LifecycleDecision {
  if (isLeaving(row.wanted) && row.state !== "archiving" && row.state !== "archived") {
    return { do: "move", event: "archive", reason: row.wanted };
  }
  const held = row.retryAt !== null && row.retryAt > now;
  switch (row.state) {
    case "active":
      return decideActive(row, facts, held, now);
    case "hibernating":
      return { do: "effect", effect: "hibernate" };
    case "hibernated":
      return row.wanted === "awake" && row.slot ? { do: "move", event: "wake", reason: row.wantedReason } : REST;
    case "restoring":
      if (facts.starting || !row.slot) return REST;
      return held && row.retryAt ? { do: "wait", until: row.retryAt } : { do: "effect", effect: "restore" };
    case "archiving":
      return held && row.retryAt ? { do: "wait", until: row.retryAt } : { do: "effect", effect: "archive" };
    case "archived":
      return row.wanted === "deleted" ? { do: "effect", effect: "archive" } : REST;
    case "provisioning":
    case "failed":
      return REST;
    default:
      return row.state satisfies never;
  }
}

function decideActive(row: LifecycleRow, facts: LifecycleFacts, held: boolean, now: Date): LifecycleDecision {
  if (row.wanted === "asleep") {
    // A turn that is being stopped still writes; falling asleep comes after it.
    if (facts.busy) return REST;
    if (held && row.retryAt) return { do: "wait", until: row.retryAt };
    return { do: "move", event: "fall_asleep", reason: row.wantedReason ?? "requested" };
  }
  if (facts.busy || facts.connected) return REST;
  if (held && row.retryAt) return { do: "wait", until: row.retryAt };
  const due = idleUntil(row);
  return due <= now ? { do: "move", event: "fall_asleep", reason: "idle" } : { do: "wait", until: due };
}
