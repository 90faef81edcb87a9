import type { ReactNode } from "react";
import { classes } from "@/components/lib/classes";

export type Tone = "calm" | "ok" | "busy" | "warn" | "danger" | "accent";

const TONE_CLASS: Record<Tone, string> = {
  calm: "bg-calm-soft text-calm",
  ok: "bg-ok-soft text-ok",
  busy: "bg-busy-soft text-busy",
  warn: "bg-warn-soft text-warn",
  danger: "bg-danger-soft text-danger",
  accent: "bg-accent-soft text-accent",
};

/** The tone without its ground, for a dot or a word. */
export const TONE_TEXT: Record<Tone, string> = {
  calm: "text-calm",
  ok: "text-ok",
  busy: "text-busy",
  warn: "text-warn",
  danger: "text-danger",
  accent: "text-accent",
};

/** A short state in words, with a dot of the same tone; the dot pulses while the state is only passed through. */
export function Chip({
  tone = "calm",
  dot = false,
  pulsing = false,
  fill = false,
  children,
}: {
  tone?: Tone;
  dot?: boolean;
  pulsing?: boolean;
  /** As wide as its place, so that another word moves nothing. */
  fill?: boolean;
  children: ReactNode;
}) {
  return (
    <span
      className={classes(
        "inline-flex h-6 shrink-0 items-center gap-1.5 rounded-full px-2.5 text-xs font-medium whitespace-nowrap",
        TONE_CLASS[tone],
        fill && "w-full justify-center",
      )}
    >
      {dot && <span className={classes("size-1.5 rounded-full bg-current", pulsing && "animate-pulse-soft")} />}
      {children}
    </span>
  );
}
