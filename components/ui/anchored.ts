"use client";

import { cloneElement, type MouseEvent, type ReactElement, type RefObject, useRef, useState } from "react";

interface AnchorProps {
  readonly ref?: RefObject<HTMLButtonElement | null>;
  readonly onClick?: (event: MouseEvent<HTMLButtonElement>) => void;
}

/** Why a part that floats wants to close, as Base UI tells it. */
export interface ChangeDetails {
  readonly event: Event;
}

/**
 * A button and the part that floats beside it, whose code is fetched when the button is first pointed at or focused:
 * the page comes to life without it.
 * @param kind what the button opens, for those who cannot see it
 * @param load fetches the code; called again and again
 */
export function useAnchored({
  trigger,
  kind,
  load,
  open: controlled,
  onOpenChange,
}: {
  trigger: ReactElement;
  kind: "menu" | "dialog";
  load: () => Promise<unknown>;
  open?: boolean | undefined;
  onOpenChange?: ((open: boolean) => void) | undefined;
}) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [own, setOwn] = useState(false);
  // Once it was open it stays mounted, so that it can go away with a movement.
  const [wanted, setWanted] = useState(false);
  const open = controlled ?? own;
  if (open && !wanted) setWanted(true);
  const change = (next: boolean, details?: ChangeDetails) => {
    // A press on the button closes by its own click; else it would close and open again at once.
    if (!next && details && isFrom(details.event, anchor.current)) return;
    setOwn(next);
    onOpenChange?.(next);
  };
  const element = trigger as ReactElement<AnchorProps>;
  const button = cloneElement(element as ReactElement<Record<string, unknown>>, {
    ref: anchor,
    "aria-haspopup": kind,
    "aria-expanded": open,
    "data-popup-open": open ? "" : undefined,
    onPointerEnter: () => void load(),
    onFocus: () => void load(),
    onClick: (event: MouseEvent<HTMLButtonElement>) => {
      element.props.onClick?.(event);
      change(!open);
    },
  });
  return { anchor, button, open, wanted, change };
}

function isFrom(event: Event, anchor: HTMLElement | null): boolean {
  const places = [event.target, "relatedTarget" in event ? event.relatedTarget : null];
  const keyboard = event.type.startsWith("key");
  return !keyboard && places.some((place) => place instanceof Node && anchor?.contains(place) === true);
}
