import type { TurnState } from "./contract";

export const TURN_EVENTS = ["begin", "ask", "complete", "fail", "stop", "interrupt"] as const;
export type TurnEvent = (typeof TURN_EVENTS)[number];

/** The whole state machine of a turn (design.md, section 5). What is not listed cannot happen. */
export const TURN_TRANSITIONS = {
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
} as const satisfies Record<TurnState, Partial<Record<TurnEvent, TurnState>>>;

export function nextTurnState(state: TurnState, event: TurnEvent): TurnState | null {
  const row: Partial<Record<TurnEvent, TurnState>> = TURN_TRANSITIONS[state];
  return row[event] ?? null;
}

export function isFinished(state: TurnState): boolean {
  return state === "completed" || state === "failed" || state === "stopped" || state === "interrupted";
}

/** Steps that a turn may make before it pauses and asks, unless the session says otherwise. */
export const DEFAULT_MAX_STEPS = 200;
/** Failures of one model step before the turn fails. */
export const MODEL_TRIES = 5;
/** Crashes during one tool call before its outcome is given up. */
export const TOOL_TRIES = 4;

/** Limits of turns, as the session sets them. */
export interface TurnLimits {
  readonly maxSteps: number | null;
  readonly maxCostUsd: number | null;
}

export interface TurnFacts {
  readonly stopRequested: boolean;
  readonly stepAllowance: number;
  readonly costAllowanceUsd: number | null;
  readonly costUsd: number | null;
  /** What the session as a whole may still use; null is no limit. */
  readonly session: { readonly stepsLeft: number | null; readonly costLeftUsd: number | null };
  /** The agent goes in circles, and telling it did not help. */
  readonly stuck: boolean;
  /** Finished model steps, oldest first. */
  readonly steps: readonly { readonly finishReason: string }[];
  /** Tool calls of the newest step, in order. */
  readonly calls: readonly {
    readonly id: string;
    readonly readOnly: boolean;
    readonly waitsForPerson: boolean;
    readonly state: "pending" | "running" | "done";
  }[];
}

export type TurnDecision =
  | { readonly do: "model"; readonly step: number }
  /** These calls run now: one that writes, or several that only read. */
  | { readonly do: "tools"; readonly callIds: readonly string[] }
  | { readonly do: "ask"; readonly kind: "question"; readonly callId: string }
  | { readonly do: "ask"; readonly kind: "steps" | "money" | "session_steps" | "session_money" | "stuck" }
  | { readonly do: "finish"; readonly event: "complete" | "stop" };

/** The next thing to do in a running turn, from its rows alone: a crash changes nothing about it. */
export function decideTurn(facts: TurnFacts): TurnDecision {
  if (facts.stopRequested) return { do: "finish", event: "stop" };
  const open = facts.calls.filter((call) => call.state !== "done");
  const first = open[0];
  if (first) {
    if (first.waitsForPerson) return { do: "ask", kind: "question", callId: first.id };
    if (!first.readOnly) return { do: "tools", callIds: [first.id] };
    const together: string[] = [];
    for (const call of open) {
      if (!call.readOnly || call.waitsForPerson) break;
      together.push(call.id);
    }
    return { do: "tools", callIds: together };
  }
  const last = facts.steps.at(-1);
  if (last && facts.calls.length === 0 && last.finishReason !== "continue") return { do: "finish", event: "complete" };
  if (facts.steps.length >= facts.stepAllowance) return { do: "ask", kind: "steps" };
  if (facts.costAllowanceUsd !== null && (facts.costUsd ?? 0) >= facts.costAllowanceUsd)
    return { do: "ask", kind: "money" };
  if (facts.session.stepsLeft !== null && facts.session.stepsLeft <= 0) return { do: "ask", kind: "session_steps" };
  if (facts.session.costLeftUsd !== null && facts.session.costLeftUsd <= 0) return { do: "ask", kind: "session_money" };
  if (facts.stuck) return { do: "ask", kind: "stuck" };
  return { do: "model", step: facts.steps.length };
}
