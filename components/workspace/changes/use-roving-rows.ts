"use client";

import { type KeyboardEvent, type RefObject, useState } from "react";
import type { VirtualizerHandle } from "virtua";
import type { ChangeRow } from "@/components/workspace/changes/change-rows";
import { treeMove } from "@/components/workspace/tree-keys";

/**
 * One tab stop for all names in the list; the arrows go from name to name, open and fold, as in a tree. The row with the
 * focus stays in the document when it is scrolled away.
 */
export function useRovingRows(
  rows: readonly ChangeRow[],
  list: RefObject<VirtualizerHandle | null>,
  box: RefObject<HTMLElement | null>,
  onToggle: (path: string, open: boolean) => void,
) {
  const [active, setActive] = useState<string | null>(null);
  const names = rows.flatMap((row, index) => (row.type === "body" ? [] : [{ row, index }]));
  const at = Math.max(
    0,
    names.findIndex(({ row }) => row.key === active),
  );
  const activeIndex = names[at]?.index;

  function go(to: number) {
    const target = names[to];
    if (!target) return;
    setActive(target.row.key);
    list.current?.scrollToIndex(target.index, { align: "nearest" });
    // It is in the document after the next render only when it was out of view.
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        box.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(target.row.key)}"]`)?.focus(),
      ),
    );
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const row = names[at]?.row;
    if (!row || !(event.target instanceof HTMLElement) || !event.target.dataset.row) return;
    const seen = names.map(({ row: { depth, open, type } }) => ({ depth, open, hasChildren: type === "folder" }));
    const move = treeMove(event.key, seen, at);
    if (!move) return;
    event.preventDefault();
    if ("go" in move) go(move.go);
    else onToggle(row.path, move.open);
  }
  return { activeKey: names[at]?.row.key ?? null, activeIndex, setActive, onKeyDown };
}
