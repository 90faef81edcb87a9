"use client";

import type { ReactNode } from "react";
import { classes } from "@/components/lib/classes";
import { formatBytes } from "@/components/lib/format";
import { Icon } from "@/components/ui/icon";
import { fileKind } from "@/components/workspace/files/file-kind";
import type { TreeState } from "@/components/workspace/files/use-tree";
import { visibleText } from "@/components/workspace/visible-text";
import type { FilesView } from "@/lib/sandbox/contract";

/** One folder or file; `children` is what lies in the folder and made only while it is open. */
export function TreeItem({
  entry,
  level,
  tree,
  tabbable,
  children,
}: {
  entry: FilesView["entries"][number];
  level: number;
  tree: TreeState;
  tabbable: boolean;
  children: ReactNode;
}) {
  const folder = entry.type === "directory";
  const open = folder && tree.isOpen(entry.path);
  const shown = tree.file === entry.path;
  // The group stands beside its folder, not in it, so that the name of a folder is not everything that lies in it.
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys for all its items */}
      <div
        role="treeitem"
        aria-level={level}
        aria-selected={shown}
        {...(folder ? { "aria-expanded": open, "data-folder": "" } : {})}
        data-path={entry.path}
        tabIndex={tabbable ? 0 : -1}
        onFocus={() => tree.focus(entry.path, folder)}
        onClick={() => (folder ? tree.setOpen(entry.path, !open) : tree.openFile(entry.path))}
        style={{ paddingLeft: `${(level - 1) * 0.875 + 0.25}rem` }}
        className={classes(
          "flex min-h-7 cursor-default items-center gap-1.5 rounded-md pr-2 text-sm hover:bg-hover focus-visible:-outline-offset-2 pointer-coarse:min-h-11",
          shown && "bg-accent-soft",
        )}
      >
        <Icon
          name="chevron"
          className={classes("size-3.5 text-ink-faint", !folder && "invisible", open && "rotate-90")}
        />
        <Icon name={iconOf(entry, open)} className={classes("size-4", folder ? "text-accent" : "text-ink-faint")} />
        <bdi className="min-w-0 flex-1 truncate">{visibleText(entry.name)}</bdi>
        {entry.type === "symlink" && <span className="shrink-0 text-xs text-ink-faint">link</span>}
        {entry.type === "file" && (
          <span className="shrink-0 text-xs text-ink-faint tabular-nums">{formatBytes(entry.sizeBytes)}</span>
        )}
      </div>
      {open && (
        // biome-ignore lint/a11y/useSemanticElements: a group of tree items is no fieldset
        <div role="group" aria-label={entry.name}>
          {children}
        </div>
      )}
    </>
  );
}

function iconOf(entry: FilesView["entries"][number], open: boolean) {
  if (entry.type === "directory") return open ? "folder-open" : "folder";
  if (entry.type === "symlink") return "link";
  const kind = fileKind(entry.path);
  return kind.image ? "image" : kind.markdown ? "file-text" : "file";
}
