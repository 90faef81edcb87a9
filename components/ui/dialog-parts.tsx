"use client";

import { Dialog as Primitive } from "@base-ui/react/dialog";
import { type ReactNode, useRef } from "react";
import { classes } from "@/components/lib/classes";
import { fadeClass, floatingClass } from "@/components/ui/popup";

const veilClass =
  "fixed inset-0 z-40 bg-veil transition-opacity duration-100 data-starting-style:opacity-0 data-ending-style:opacity-0";

export interface OverlayProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
}

export interface DialogProps extends OverlayProps {
  /** Names it for screen readers only. */
  readonly hideTitle?: boolean;
  readonly wide?: boolean;
  /** Without padding, for what brings its own. */
  readonly bare?: boolean;
}

export interface SheetProps extends OverlayProps {
  readonly side?: "left" | "right";
}

/**
 * Where the focus goes when an overlay closes: back to where it was, or nowhere if it was nowhere. Left alone, the library
 * would look for something that had it earlier, such as the field where messages are written.
 */
function useOpener(open: boolean): () => HTMLElement | boolean {
  const opener = useRef<Element | null>(null);
  const wasOpen = useRef(false);
  if (open && !wasOpen.current) opener.current = document.activeElement;
  wasOpen.current = open;
  return () => {
    const element = opener.current;
    if (element === document.body) return false;
    return element instanceof HTMLElement && element.isConnected ? element : true;
  };
}

/** A modal: the focus is kept inside and given back, Escape and a press beside it close it. */
export function DialogPopup({
  open,
  onClose,
  title,
  hideTitle = false,
  wide = false,
  bare = false,
  children,
}: DialogProps) {
  const finalFocus = useOpener(open);
  return (
    <Primitive.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Primitive.Portal>
        <Primitive.Backdrop className={veilClass} />
        <Primitive.Viewport className="fixed inset-0 z-40 grid place-items-center p-4">
          <Primitive.Popup
            finalFocus={finalFocus}
            className={classes(
              floatingClass,
              fadeClass,
              "scroll-area max-h-full w-full",
              wide ? "max-w-2xl" : "max-w-md",
              !bare && "p-5",
            )}
          >
            <Primitive.Title className={hideTitle ? "sr-only" : "text-lg font-semibold"}>{title}</Primitive.Title>
            {children}
          </Primitive.Popup>
        </Primitive.Viewport>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** Slides in from the side and covers part of the page: what stands beside the page on a wide screen. */
export function SheetPopup({ open, onClose, title, side = "left", children }: SheetProps) {
  const finalFocus = useOpener(open);
  return (
    <Primitive.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Primitive.Portal>
        <Primitive.Backdrop className={veilClass} />
        <Primitive.Popup
          finalFocus={finalFocus}
          className={classes(
            "fixed inset-y-0 z-40 flex w-[min(20rem,calc(100vw-3rem))] flex-col bg-surface text-ink shadow-raised outline-none",
            "transition-transform duration-200",
            side === "left"
              ? "left-0 data-ending-style:-translate-x-full data-starting-style:-translate-x-full"
              : "right-0 data-ending-style:translate-x-full data-starting-style:translate-x-full",
          )}
        >
          <Primitive.Title className="sr-only">{title}</Primitive.Title>
          {children}
        </Primitive.Popup>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
