import { memo } from "react";
import { classes } from "@/components/lib/classes";
import type { BodyRow } from "@/components/workspace/changes/file-rows";
import { MarkedText } from "@/components/workspace/changes/marked-text";
import type { PatchLine } from "@/components/workspace/changes/patch";

const GROUND = { added: "bg-ok-soft", removed: "bg-danger-soft", context: "bg-surface" } as const;
const SIGN = { added: "+", removed: "−", context: " " } as const;
const SIGN_TONE = { added: "text-ok", removed: "text-danger", context: "" } as const;
const numberClass = "min-w-9 pr-2 text-right text-ink-faint tabular-nums select-none";

/** One row below the name of an open file. */
export const BodyRowView = memo(function BodyRowView({ row, last }: { row: BodyRow; last: boolean }) {
  const end = last && "border-b border-line";
  if (row.type === "note")
    return <p className={classes("bg-surface px-4 py-3 text-sm text-ink-faint", end)}>{row.text}</p>;
  if (row.type === "place")
    return (
      <p className="truncate border-y border-line bg-sunken px-3 py-0.5 font-mono text-xs text-ink-faint">{row.text}</p>
    );
  if (row.type === "line")
    return (
      <div className={classes("font-mono text-xs", end)}>
        <Line line={row.line} partner={row.partner} />
      </div>
    );
  const { left, right, kind } = row.pair;
  const edited = kind === "edited";
  // Too narrow for two columns, the old line stands above the new one.
  return (
    <div className={classes("grid font-mono text-xs @md:grid-cols-2", end)}>
      <Half line={left} partner={edited ? (right?.text ?? null) : null} narrow={kind !== "same"} />
      <span className="flex min-w-0 flex-col @md:border-l @md:border-line">
        <Half
          line={right && kind === "same" ? { ...right, kind: "context" } : right}
          partner={edited ? (left?.text ?? null) : null}
          narrow
        />
      </span>
    </div>
  );
});

/** One side of a pair; a side that is empty, or says the same twice, takes no room where the two stand below each other. */
function Half({ line, partner, narrow }: { line: PatchLine | null; partner: string | null; narrow: boolean }) {
  if (!line) return <span className="flex-1 bg-sunken max-md:hidden @max-md:hidden" />;
  const shown = narrow ? line : { ...line, kind: "context" as const };
  return (
    <span className={classes("flex min-w-0 flex-1 flex-col", !narrow && "@max-md:hidden")}>
      <Line line={shown} partner={partner} />
    </span>
  );
}

function Line({ line, partner }: { line: PatchLine; partner: string | null }) {
  return (
    <div className={classes("grid min-h-5 flex-1 grid-cols-[auto_1rem_minmax(0,1fr)]", GROUND[line.kind])}>
      <span className={numberClass}>{line.after ?? line.before}</span>
      <span className={classes("select-none", SIGN_TONE[line.kind])}>{SIGN[line.kind]}</span>
      <code className="pr-2 font-mono break-words whitespace-pre-wrap [overflow-wrap:anywhere]">
        <MarkedText line={line} partner={partner} />
      </code>
    </div>
  );
}
