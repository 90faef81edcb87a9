"use client";

import { useKept } from "@/components/chat/kept-state";
import { classes } from "@/components/lib/classes";
import { Icon } from "@/components/ui/icon";

/** What the model thought, folded away: it is long and seldom what one looks for. */
export function ReasoningPart({ id, text, live }: { id: string; text: string; live: boolean }) {
  const [open, setOpen] = useKept(`thought ${id}`, false);
  return (
    <div className="text-sm text-ink-faint">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-8 items-center gap-2 rounded-md pr-2 hover:text-ink-soft pointer-coarse:min-h-11"
      >
        <Icon name="brain" className="size-4" />
        <span className={live ? "animate-pulse-soft" : undefined}>{live ? "Thinking…" : "Thought"}</span>
        <Icon name="chevron" className={classes("size-3.5", open && "rotate-90")} />
      </button>
      {open && (
        <p dir="auto" className="border-l-2 border-line py-1 pl-3 break-words whitespace-pre-wrap">
          {text}
        </p>
      )}
    </div>
  );
}
