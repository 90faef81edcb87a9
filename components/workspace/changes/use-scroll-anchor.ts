"use client";

import { type RefObject, useCallback, useLayoutEffect, useRef } from "react";
import type { VirtualizerHandle } from "virtua";
import type { ChangeRow } from "@/components/workspace/changes/change-rows";

/** Rows above the first one in view come and go while a turn works; the row in view stays where it is. */
export function useScrollAnchor(rows: readonly ChangeRow[], list: RefObject<VirtualizerHandle | null>) {
  const anchor = useRef<{ key: string; path: string; deltaPx: number } | null>(null);
  const latest = useRef(rows);

  const remember = useCallback(() => {
    const handle = list.current;
    if (!handle) return;
    const offset = handle.scrollOffset;
    const index = handle.findItemIndex(offset);
    const row = latest.current[index];
    // At the very top there is nothing above to hold against: new rows show.
    anchor.current =
      row && offset > 0 ? { key: row.key, path: row.path, deltaPx: offset - handle.getItemOffset(index) } : null;
  }, [list]);

  useLayoutEffect(() => {
    if (latest.current === rows) return;
    latest.current = rows;
    const handle = list.current;
    const held = anchor.current;
    if (!handle || !held) return;
    const same = rows.findIndex((row) => row.key === held.key);
    const index = same >= 0 ? same : rows.findIndex((row) => row.path === held.path);
    if (index < 0) return;
    const wanted = handle.getItemOffset(index) + (same >= 0 ? held.deltaPx : 0);
    if (Math.abs(wanted - handle.scrollOffset) > 1) handle.scrollTo(wanted);
  }, [rows, list]);

  return remember;
}
