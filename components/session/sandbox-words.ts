import type { Tone } from "@/components/ui/chip";
import type { SandboxState, SandboxView, TransitionView } from "@/lib/sandbox/contract";

interface StateWords {
  readonly label: string;
  readonly tone: Tone;
  /** Only passed through (`PASSING_STATES` of the contract; the type alone is imported to keep zod out of the page). */
  readonly passing: boolean;
}

export const SANDBOX_WORDS: Record<SandboxState, StateWords> = {
  provisioning: { label: "Starting", tone: "busy", passing: true },
  active: { label: "Ready", tone: "ok", passing: false },
  hibernating: { label: "Falling asleep", tone: "busy", passing: true },
  hibernated: { label: "Asleep", tone: "calm", passing: false },
  restoring: { label: "Waking up", tone: "busy", passing: true },
  failed: { label: "Failed", tone: "danger", passing: false },
  archiving: { label: "Archiving", tone: "busy", passing: true },
  archived: { label: "Archived", tone: "calm", passing: false },
};

/** Where each wish leads; a sandbox that is not there yet is on its way. */
const REST_OF_WISH = { awake: "active", asleep: "hibernated", archived: "archived", deleted: "archived" } as const;

/** Whether the state will change soon by itself, so that asking more often is worth it. */
export function isOnItsWay(sandbox: SandboxView): boolean {
  if (SANDBOX_WORDS[sandbox.state].passing) return true;
  return sandbox.state !== "failed" && sandbox.state !== REST_OF_WISH[sandbox.wanted];
}

/** Milliseconds until the page should ask again: 2 s while something changes, else 15 s. */
export function statusPollMs(sandbox: SandboxView | undefined): number {
  return sandbox && !isOnItsWay(sandbox) ? 15_000 : 2_000;
}

/** What the events of SANDBOX-LIFECYCLE.md mean to a person. */
const EVENT_WORDS: Readonly<Record<string, string>> = {
  create: "A new sandbox",
  ready: "Everything is in place",
  gave_up: "Given up after several tries",
  fall_asleep: "Not needed just now",
  sealed: "The snapshot is made and checked",
  seal_failed: "The snapshot could not be made; tried again later",
  wake: "Needed again",
  lost: "It was gone",
  rebuild: "Made anew from the branch and the kept work",
  retry_start: "Tried again",
  retry_restore: "Tried again",
  archive: "The session is put away",
  destroyed: "The work is kept, the rest is freed",
  keep_failed: "The work could not be kept",
  unarchive: "Brought back from the kept work",
};

/** The reasons that rules give, which are single words (design.md, section 3). */
const REASON_WORDS: Readonly<Record<string, string>> = {
  idle: "Nothing happened for a while",
  limit: "Made room for another session",
  requested: "Somebody asked for it",
  message: "A message came",
  archived: "The session was archived",
  deleted: "The session was deleted",
  unarchived: "The session was unarchived",
};

/** Why a sandbox changed its state, in words; what is not known is shown as it is. */
export function eventWords({ event, reason }: Pick<TransitionView, "event" | "reason">): string {
  if (reason) return REASON_WORDS[reason] ?? reason;
  return EVENT_WORDS[event] ?? event;
}
