import { memo } from "react";
import { classes } from "@/components/lib/classes";
import { Icon } from "@/components/ui/icon";
import type { ChangeRow } from "@/components/workspace/changes/change-rows";
import { isGenerated } from "@/components/workspace/changes/generated";
import { visibleText } from "@/components/workspace/visible-text";
import type { DiffFile } from "@/lib/sandbox/contract";

const STATUS: Record<DiffFile["status"], { letter: string; label: string; tone: string }> = {
  added: { letter: "A", label: "Added", tone: "text-ok" },
  modified: { letter: "M", label: "Modified", tone: "text-warn" },
  renamed: { letter: "R", label: "Renamed", tone: "text-busy" },
  deleted: { letter: "D", label: "Deleted", tone: "text-danger" },
};

export type NameRow = Exclude<ChangeRow, { type: "body" }>;

/** The name of a folder or a file, which opens and folds it. */
export const NameRowView = memo(function NameRowView({
  row,
  tabbable,
  onToggle,
  onFocus,
}: {
  row: NameRow;
  tabbable: boolean;
  onToggle: (path: string, open: boolean) => void;
  onFocus: (key: string) => void;
}) {
  return (
    <button
      type="button"
      data-row={row.key}
      aria-expanded={row.open}
      tabIndex={tabbable ? 0 : -1}
      onFocus={() => onFocus(row.key)}
      onClick={() => onToggle(row.path, !row.open)}
      title={row.path}
      style={{ paddingLeft: `${0.5 + Math.min(row.depth, 8) * 0.875}rem` }}
      className={classes(
        "flex min-h-8 w-full items-center gap-1.5 border-b border-line pr-3 text-left text-sm hover:bg-hover focus-visible:-outline-offset-2 pointer-coarse:min-h-11",
        row.type === "file" && row.open && "bg-sunken",
      )}
    >
      <Icon name="chevron" className={classes("size-3.5 text-ink-faint", row.open && "rotate-90")} />
      {row.type === "folder" ? <FolderName row={row} /> : <FileName row={row} />}
    </button>
  );
});

function FolderName({ row }: { row: Extract<NameRow, { type: "folder" }> }) {
  return (
    <>
      <Icon name={row.open ? "folder-open" : "folder"} className="size-4 text-ink-faint" />
      <bdi className="min-w-0 flex-1 truncate text-ink-soft">{visibleText(row.label)}</bdi>
      {!row.open && (
        <span className="shrink-0 text-xs text-ink-faint">{row.files === 1 ? "1 file" : `${row.files} files`}</span>
      )}
    </>
  );
}

function FileName({ row }: { row: Extract<NameRow, { type: "file" }> }) {
  const { file, body } = row;
  const status = STATUS[file.status];
  const moved = file.oldPath !== undefined && file.oldPath !== file.path;
  return (
    <>
      <span className={classes("w-4 shrink-0 text-center font-mono text-xs font-semibold", status.tone)}>
        <span aria-hidden="true">{status.letter}</span>
        <span className="sr-only">{file.untracked ? "New" : status.label}</span>
      </span>
      <bdi className="min-w-0 flex-1 truncate">
        {visibleText(row.label)}
        {moved && <span className="text-ink-faint"> from {visibleText(file.oldPath ?? "")}</span>}
      </bdi>
      {isGenerated(file.path) && <span className="shrink-0 text-xs text-ink-faint">generated</span>}
      {file.binary ? (
        <span className="shrink-0 text-xs text-ink-faint">binary</span>
      ) : (
        <Counts additions={body.additions} deletions={body.deletions} />
      )}
    </>
  );
}

export function Counts({ additions, deletions }: { additions: number; deletions: number }) {
  return (
    <span className="flex shrink-0 gap-1.5 font-mono text-xs tabular-nums">
      <span className="text-ok">+{additions}</span>
      <span className="text-danger">−{deletions}</span>
    </span>
  );
}
