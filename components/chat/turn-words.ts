import type { ConnectionState } from "@/components/chat/chat-connection";
import { formatDuration } from "@/components/lib/format";
import type { TurnView } from "@/lib/chat/contract";

/** How long a turn took, or has taken until `nowMs`; null while it has not begun. */
export function turnDurationMs(turn: TurnView, nowMs: number): number | null {
  if (!turn.startedAt) return null;
  const end = turn.endedAt ? Date.parse(turn.endedAt) : nowMs;
  return Math.max(0, end - Date.parse(turn.startedAt));
}

export interface StatusFacts {
  readonly running: TurnView | null;
  readonly queued: TurnView | null;
  /** The sandbox has failed: what is queued waits for the person, not for it. */
  readonly stuck: boolean;
  readonly connection: ConnectionState;
}

/** What the agent is doing at this moment, in one line; null when there is nothing to say. */
export function statusWords(facts: StatusFacts, nowMs: number): { text: string; spinning: boolean } | null {
  const { running, queued, stuck, connection } = facts;
  if (connection === "gone") return { text: "This chat does not exist any more.", spinning: false };
  if (connection === "retrying") return { text: "The connection was lost. Trying again…", spinning: true };
  // Its notice in the conversation says the rest.
  if (running && isPaused(running)) {
    return { text: running.waitingFor === "stuck" ? "Paused: it got stuck." : "Paused at a limit.", spinning: false };
  }
  if (running?.state === "waiting_for_user")
    return { text: running.reason ?? "Waits for your answer.", spinning: false };
  if (running) {
    const took = turnDurationMs(running, nowMs) ?? 0;
    return { text: took < 1_000 ? "Working…" : `Working… ${formatDuration(took)}`, spinning: true };
  }
  if (queued) return { text: queued.reason ?? "Queued…", spinning: !stuck };
  return null;
}

const ENDED_WORDS: Partial<Record<TurnView["state"], string>> = {
  failed: "The turn failed.",
  stopped: "Stopped.",
  interrupted: "The turn was interrupted.",
};
/** What a person can do after a turn that did not end well. */
export const NEXT_STEP: Partial<Record<TurnView["state"], string>> = {
  failed: "What it did so far is kept. Send a message to try again.",
  interrupted: "What it did so far is kept. Send a message to go on.",
};

/** How a turn ended and what can be done about it; null when it ended well. */
export function endedWords(turn: TurnView): { text: string; next: string | null } | null {
  const words = ENDED_WORDS[turn.state];
  if (!words) return null;
  const text = turn.reason && turn.reason !== words ? `${words} ${turn.reason}` : words;
  return { text, next: NEXT_STEP[turn.state] ?? null };
}

/** Whether a turn paused at a limit or because it went in circles: one word from the person lets it go on. */
export function isPaused(turn: TurnView | null): boolean {
  return turn?.state === "waiting_for_user" && turn.waitingFor != null && turn.waitingFor !== "question";
}
