import { Icon } from "@/components/ui/icon";

/** What the model thought, folded away: it is long and seldom what one looks for. */
export function ReasoningPart({ text, live }: { text: string; live: boolean }) {
  return (
    <details className="group text-sm text-ink-faint">
      <summary className="flex min-h-8 items-center gap-2 rounded-md select-none">
        <Icon name="chevron" className="size-3.5 group-open:rotate-90" />
        <span className={live ? "animate-pulse-soft" : undefined}>{live ? "Thinking…" : "Thought"}</span>
      </summary>
      <p className="border-l-2 border-line py-1 pl-3 break-words whitespace-pre-wrap">{text}</p>
    </details>
  );
}
