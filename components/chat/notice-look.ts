import type { Notice } from "@/components/chat/fold-events";
import { NEXT_STEP } from "@/components/chat/turn-words";
import type { IconName } from "@/components/ui/icon";

/** How words of the system stand in the conversation. */
export interface NoticeLook {
  readonly text: string;
  /** What the person can do; null where there is nothing to do. */
  readonly next: string | null;
  /** Whether that is done in Settings. */
  readonly inSettings: boolean;
  readonly tone: "warn" | "danger" | "calm";
  readonly icon: IconName;
}

/** What is only worth knowing. */
const CALM: ReadonlySet<string> = new Set(["condensed", "stuck_nudge"]);

/** Whether a notice says that a turn pauses and asks, at a limit or because it goes in circles. */
export function isPauseNotice({ name }: Pick<Notice, "name">): boolean {
  return name === "stuck" || name.startsWith("limit_");
}

/** @param asks whether the turn still waits for what a notice asks for */
export function noticeLook(notice: Notice, asks: boolean): NoticeLook {
  const plain = { text: notice.message, next: null, inSettings: false } as const;
  if (notice.name === "turn_failed") return { ...failureLook(notice), tone: "danger", icon: "alert" };
  if (CALM.has(notice.name)) return { ...plain, tone: "calm", icon: "info" };
  if (isPauseNotice(notice)) return { ...plain, tone: asks ? "warn" : "calm", icon: asks ? "alert" : "info" };
  return { ...plain, tone: "warn", icon: "alert" };
}

/** The advice ends the stored words too, for those who read only these. */
function failureLook({ message, failure }: Notice): Pick<NoticeLook, "text" | "next" | "inSettings"> {
  const advice = failure?.advice ?? "";
  if (advice === "") return { text: message, next: NEXT_STEP.failed ?? null, inSettings: false };
  const text = message.endsWith(advice) ? message.slice(0, -advice.length).trimEnd() : message;
  return { text, next: `What it did so far is kept. ${advice}`, inSettings: advice.includes("Settings") };
}
