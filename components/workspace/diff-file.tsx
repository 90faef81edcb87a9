"use client";

import { memo, useMemo, useState } from "react";
import { classes } from "@/components/lib/classes";
import { Icon } from "@/components/ui/icon";
import { type PatchLineKind, toPatchLines } from "@/components/workspace/patch-lines";
import type { DiffFile as DiffFileView } from "@/lib/sandbox/contract";

const STATUS: Record<DiffFileView["status"], { letter: string; label: string; tone: string }> = {
  added: { letter: "A", label: "Added", tone: "text-ok" },
  modified: { letter: "M", label: "Modified", tone: "text-warn" },
  renamed: { letter: "R", label: "Renamed", tone: "text-busy" },
  deleted: { letter: "D", label: "Deleted", tone: "text-danger" },
};

const LINE_CLASS: Record<PatchLineKind, string> = {
  added: "bg-ok-soft text-ok",
  removed: "bg-danger-soft text-danger",
  context: "text-ink-soft",
  hunk: "bg-sunken text-ink-faint",
};

/** One changed file; its lines are rendered when it is opened. */
export const DiffFile = memo(function DiffFile({ file, startOpen }: { file: DiffFileView; startOpen: boolean }) {
  const [open, setOpen] = useState(startOpen);
  const status = STATUS[file.status];
  return (
    <li className="border-b border-line last:border-b-0">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-9 w-full items-center gap-2 px-3 text-left text-sm hover:bg-hover focus-visible:-outline-offset-2 pointer-coarse:min-h-11"
      >
        <Icon name="chevron" className={classes("size-3.5 text-ink-faint", open && "rotate-90")} />
        <span
          className={classes("w-3 shrink-0 font-mono text-xs font-semibold", status.tone)}
          title={file.untracked ? "New, not in git yet" : status.label}
        >
          {status.letter}
          <span className="sr-only"> {status.label}</span>
        </span>
        <span className="min-w-0 flex-1 truncate font-mono text-xs" title={file.path}>
          {file.oldPath && file.oldPath !== file.path ? `${file.oldPath} → ${file.path}` : file.path}
        </span>
        {file.binary ? (
          <span className="shrink-0 text-xs text-ink-faint">binary</span>
        ) : (
          <span className="flex shrink-0 gap-1.5 font-mono text-xs tabular-nums">
            <span className="text-ok">+{file.additions}</span>
            <span className="text-danger">−{file.deletions}</span>
          </span>
        )}
      </button>
      {open && <Patch file={file} />}
    </li>
  );
});

function Patch({ file }: { file: DiffFileView }) {
  const lines = useMemo(() => toPatchLines(file.patch), [file.patch]);
  if (lines.length === 0) {
    const why = file.binary ? "A binary file." : file.truncated ? "Too large to show." : "No lines changed.";
    return <p className="px-3 pb-3 text-sm text-ink-faint">{why}</p>;
  }
  return (
    <div
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      className="scroll-area max-h-[32rem] bg-surface font-mono text-xs focus-visible:-outline-offset-2"
    >
      <table className="w-full border-collapse">
        <tbody>
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one patch never move
            <tr key={index} className={LINE_CLASS[line.kind]}>
              <td className="w-10 min-w-10 px-2 text-right text-ink-faint tabular-nums select-none">
                {line.lineNumber}
              </td>
              <td className="pr-3 whitespace-pre">{line.text || " "}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {file.truncated && <p className="px-3 py-2 text-ink-faint">The rest is too large to show.</p>}
    </div>
  );
}
