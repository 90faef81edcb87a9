"use client";

import { type CSSProperties, type KeyboardEvent, type PointerEvent, useState } from "react";
import { CHAT_SHARE, clampShare, savePreference } from "@/components/settings/preferences";

const STEP_PERCENT = 2;

/** The share of the width that the left side has, in percent: `style` goes on the grid, `handle` between its sides. */
export function useSplit(initial: number) {
  const [share, setShare] = useState(initial);
  const settle = (next: number) => {
    setShare(next);
    savePreference("chatShare", next);
  };
  return {
    style: { "--chat": `${share}%` } as CSSProperties,
    handle: { share, onMove: setShare, onSettle: settle },
  };
}

/** The line between chat and workspace: drag it, or move it with the arrow keys; a double click puts it back. */
export function SplitHandle({
  share,
  onMove,
  onSettle,
}: {
  share: number;
  onMove: (share: number) => void;
  onSettle: (share: number) => void;
}) {
  const shareAt = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.parentElement?.getBoundingClientRect();
    return box ? clampShare(((event.clientX - box.left) / box.width) * 100) : share;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = {
      ArrowLeft: share - STEP_PERCENT,
      ArrowRight: share + STEP_PERCENT,
      Home: CHAT_SHARE.min,
      End: CHAT_SHARE.max,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onSettle(clampShare(next));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> takes no focus and no keys
    <div
      role="separator"
      tabIndex={0}
      aria-label="Width of the chat"
      aria-orientation="vertical"
      aria-valuenow={Math.round(share)}
      aria-valuemin={CHAT_SHARE.min}
      aria-valuemax={CHAT_SHARE.max}
      onKeyDown={onKeyDown}
      onDoubleClick={() => onSettle(CHAT_SHARE.usual)}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && onMove(shareAt(event))}
      onPointerUp={(event) => onSettle(shareAt(event))}
      className="relative w-px cursor-col-resize touch-none bg-line select-none before:absolute before:inset-y-0 before:-inset-x-1 before:z-10 hover:bg-line-strong focus-visible:bg-focus max-xl:hidden"
    />
  );
}
