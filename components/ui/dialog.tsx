"use client";

import { Dialog as Primitive } from "@base-ui/react/dialog";
import type { ReactNode } from "react";
import { classes } from "@/components/lib/classes";
import { Button } from "@/components/ui/button";
import { fadeClass, floatingClass } from "@/components/ui/popup";

const veilClass =
  "fixed inset-0 z-40 bg-veil transition-opacity duration-100 data-starting-style:opacity-0 data-ending-style:opacity-0";

interface OverlayProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children: ReactNode;
}

/** A modal: the focus is kept inside and given back, Escape and a press beside it close it. */
export function Dialog({
  open,
  onClose,
  title,
  hideTitle = false,
  wide = false,
  bare = false,
  children,
}: OverlayProps & {
  /** Names it for screen readers only. */
  hideTitle?: boolean;
  wide?: boolean;
  /** Without padding, for what brings its own. */
  bare?: boolean;
}) {
  return (
    <Primitive.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Primitive.Portal>
        <Primitive.Backdrop className={veilClass} />
        <Primitive.Viewport className="fixed inset-0 z-40 grid place-items-center p-4">
          <Primitive.Popup
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
export function Sheet({ open, onClose, title, side = "left", children }: OverlayProps & { side?: "left" | "right" }) {
  return (
    <Primitive.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Primitive.Portal>
        <Primitive.Backdrop className={veilClass} />
        <Primitive.Popup
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

/** Asks before something that cannot be taken back; the safe answer comes first and so has the focus. */
export function ConfirmDialog({
  open,
  onClose,
  onConfirm,
  title,
  confirmLabel,
  danger = false,
  busy = false,
  children,
}: OverlayProps & { onConfirm: () => void; confirmLabel: string; danger?: boolean; busy?: boolean }) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <div className="mt-2 text-ink-soft">{children}</div>
      <div className="mt-5 flex justify-end gap-2">
        <Button size="md" onClick={onClose}>
          Cancel
        </Button>
        <Button size="md" variant={danger ? "danger" : "primary"} busy={busy} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  );
}
