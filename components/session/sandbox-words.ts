import { formatBytes, formatDistance } from "@/components/lib/format";
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
  active: { label: "Active", tone: "ok", passing: false },
  hibernating: { label: "Going to sleep", tone: "busy", passing: true },
  hibernated: { label: "Paused", tone: "calm", passing: false },
  restoring: { label: "Resuming", tone: "busy", passing: true },
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

/** The state in one short line beside its word: what goes on, when it will sleep, what it waits for. */
export function stateDetail(sandbox: SandboxView, now: number): string {
  switch (sandbox.state) {
    case "provisioning":
      return "Getting everything ready";
    case "active":
      if (sandbox.busy) return "The agent is at work";
      return sandbox.hibernateAt ? sleepWords(Date.parse(sandbox.hibernateAt) - now) : "Stays awake";
    case "hibernating":
      return "Keeping all files";
    case "hibernated":
      return sandbox.snapshot ? `All files kept (${formatBytes(sandbox.snapshot.sizeBytes)})` : "All files kept";
    case "restoring":
      return "Bringing the files back";
    case "failed":
      return sandbox.error?.message ?? "It could not go on";
    case "archiving":
      return "Keeping the chat, the diff and the work";
    case "archived":
      return "Chat, diff and work are kept";
  }
}

/** When a sandbox that nobody needs falls asleep; `ms` from now. */
export function sleepWords(ms: number): string {
  return ms < 60_000 ? "Sleeps in a moment" : `Sleeps in ${formatDistance(ms)}`;
}

/** What Resume brings back, for a paused sandbox. */
export function resumeWords(sandbox: SandboxView): string {
  const servers = sandbox.ports.map((port) => port.command).filter(Boolean);
  const again = servers.length === 0 ? "" : ` Started again: ${servers.join(", ")}.`;
  return `Resume brings back every file, the git state and the environment as they were.${again} A message does the same.`;
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
  if (reason) return reasonWords(reason);
  return EVENT_WORDS[event] ?? event;
}

/** A reason in words; a sentence stays as it is. */
export function reasonWords(reason: string): string {
  return REASON_WORDS[reason] ?? reason;
}
