import type { DiffLine } from "@/components/chat/line-diff";
import { classes } from "@/components/lib/classes";

const LOOK = {
  added: { row: "bg-ok-soft text-ok", mark: "+" },
  removed: { row: "bg-danger-soft text-danger", mark: "−" },
  context: { row: "text-ink-soft", mark: " " },
} as const;

/** Lines that came and went. The marks say it without colour too. */
export function DiffLines({ lines }: { lines: readonly DiffLine[] }) {
  if (lines.length === 0) return <p className="text-sm text-ink-faint">An empty file.</p>;
  return (
    <div
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      className="scroll-area max-h-80 rounded-sm bg-sunken font-mono text-xs focus-visible:-outline-offset-2"
    >
      <div className="w-max min-w-full py-1">
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one change never move
          <div key={index} className={classes("flex pr-3", LOOK[line.kind].row)}>
            <span aria-hidden="true" className="w-10 shrink-0 pr-2 text-right text-ink-faint tabular-nums select-none">
              {line.lineNumber}
            </span>
            <span className="w-4 shrink-0 select-none">{LOOK[line.kind].mark}</span>
            <span className="whitespace-pre">{line.text || " "}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
