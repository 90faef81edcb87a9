"use client";

import { useCallback, useMemo, useRef, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { Icon } from "@/components/ui/icon";
import { BodyRowView } from "@/components/workspace/changes/body-row";
import { type ChangeRow, toChangeRows } from "@/components/workspace/changes/change-rows";
import { toChangeTree } from "@/components/workspace/changes/change-tree";
import type { ViewOptions } from "@/components/workspace/changes/file-rows";
import { NameRowView } from "@/components/workspace/changes/name-row";
import { useBodies } from "@/components/workspace/changes/use-bodies";
import { useRovingRows } from "@/components/workspace/changes/use-roving-rows";
import { useScrollAnchor } from "@/components/workspace/changes/use-scroll-anchor";
import { visibleText } from "@/components/workspace/visible-text";
import type { DiffFile } from "@/lib/sandbox/contract";

/** Most rows are lines of code of this height; others are measured. */
const LINE_PX = 20;

/** The changed files with their lines, as they stand open and as they are looked at. */
export function ChangeTree({
  files,
  options,
  open,
}: {
  files: readonly DiffFile[];
  options: ViewOptions;
  open: { readonly isOpen: (path: string) => boolean; readonly set: (path: string, open: boolean) => void };
}) {
  const bodyOf = useBodies(options);
  const tree = useMemo(() => toChangeTree(files), [files]);
  const rows = useMemo(() => toChangeRows(tree, open.isOpen, bodyOf), [tree, open.isOpen, bodyOf]);
  return <ChangeList rows={rows} onToggle={open.set} />;
}

/** The tree of changed files with their lines: one list, of which only what is in view is in the document. */
function ChangeList({
  rows,
  onToggle,
}: {
  rows: readonly ChangeRow[];
  onToggle: (path: string, open: boolean) => void;
}) {
  const box = useRef<HTMLElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const [reading, setReading] = useState<string | null>(null);
  const { activeKey, activeIndex, setActive, onKeyDown } = useRovingRows(rows, list, box, onToggle);
  const remember = useScrollAnchor(rows, list);
  const onScroll = useCallback(() => {
    remember();
    const handle = list.current;
    const top = handle && rows[handle.findItemIndex(handle.scrollOffset)];
    setReading(top && top.type === "body" ? top.path : null);
  }, [remember, rows]);
  const fold = (path: string) => {
    onToggle(path, false);
    const index = rows.findIndex((row) => row.type === "file" && row.path === path);
    list.current?.scrollToIndex(index);
  };
  return (
    <div className="@container relative min-h-0 flex-1">
      <section
        ref={box}
        aria-label="Changed files"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
        onKeyDown={onKeyDown}
        className="scroll-area absolute inset-0 focus-visible:-outline-offset-2"
      >
        <Virtualizer
          ref={list}
          data={rows}
          itemSize={LINE_PX}
          bufferSize={400}
          onScroll={onScroll}
          {...(activeIndex === undefined ? {} : { keepMounted: [activeIndex] })}
        >
          {(row) =>
            row.type === "body" ? (
              <BodyRowView key={row.key} row={row.row} last={row.last} />
            ) : (
              <NameRowView
                key={row.key}
                row={row}
                tabbable={row.key === activeKey}
                onToggle={onToggle}
                onFocus={setActive}
              />
            )
          }
        </Virtualizer>
      </section>
      {reading !== null && <ReadingBar path={reading} onFold={fold} />}
    </div>
  );
}

/** The name of the file whose lines are in view, when its own row is scrolled away. A help for the eye: the row itself is in the list. */
function ReadingBar({ path, onFold }: { path: string; onFold: (path: string) => void }) {
  return (
    <div aria-hidden="true" className="absolute inset-x-0 top-0 border-b border-line bg-sunken">
      <button
        type="button"
        tabIndex={-1}
        onClick={() => onFold(path)}
        className="flex min-h-8 w-full items-center gap-1.5 px-2 text-left text-sm hover:bg-hover"
      >
        <Icon name="chevron" className="size-3.5 rotate-90 text-ink-faint" />
        <span className="min-w-0 flex-1 truncate">{visibleText(path)}</span>
      </button>
    </div>
  );
}
