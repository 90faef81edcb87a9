"use client";

import { type KeyboardEvent, useRef } from "react";
import { Branch } from "@/components/workspace/files/tree-branch";
import type { TreeState } from "@/components/workspace/files/use-tree";
import { treeMove } from "@/components/workspace/tree-keys";

/** The folders and files of the workspace; a folder is asked for when it is opened. One tab stop, arrows move. */
export function FileTree({
  sessionId,
  sandboxVersion,
  tree,
}: {
  sessionId: string;
  sandboxVersion: number;
  tree: TreeState;
}) {
  const box = useRef<HTMLDivElement>(null);
  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    // What is in the document is what is open, in the order in which it is seen.
    const items = [...(box.current?.querySelectorAll<HTMLElement>("[role=treeitem]") ?? [])];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const path = items[at]?.dataset.path;
    if (path === undefined) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (items[at]?.dataset.folder === undefined) tree.openFile(path);
      else tree.setOpen(path, !tree.isOpen(path));
      return;
    }
    const depths = items.map((item) => Number(item.ariaLevel));
    const rows = items.map((item, index) => ({
      depth: depths[index] ?? 0,
      open: item.dataset.folder === undefined ? null : item.ariaExpanded === "true",
      hasChildren: (depths[index + 1] ?? 0) > (depths[index] ?? 0),
    }));
    const move = treeMove(event.key, rows, at);
    if (!move) return;
    event.preventDefault();
    if ("go" in move) items[move.go]?.focus();
    else tree.setOpen(path, move.open);
  }
  return (
    <div
      ref={box}
      role="tree"
      aria-label="Files"
      onKeyDown={onKeyDown}
      className="scroll-area min-h-0 flex-1 p-1.5 [scroll-padding:2rem]"
    >
      <Branch sessionId={sessionId} path="" level={1} sandboxVersion={sandboxVersion} tree={tree} />
    </div>
  );
}
