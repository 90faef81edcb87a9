"use client";

import { lazy, Suspense, useState } from "react";
import { Button } from "@/components/ui/button";
import type { DialogProps, OverlayProps, SheetProps } from "@/components/ui/dialog-parts";

/** What lies above the page comes in one piece, when it is first wanted. */
export const loadDialog = () => import("@/components/ui/dialog-parts");
const DialogPopup = lazy(() => loadDialog().then((parts) => ({ default: parts.DialogPopup })));
const SheetPopup = lazy(() => loadDialog().then((parts) => ({ default: parts.SheetPopup })));

/** Whether it was ever open: from then on it stays mounted, so that it can go away with a movement. */
function useWanted(open: boolean): boolean {
  const [wanted, setWanted] = useState(open);
  if (open && !wanted) setWanted(true);
  return wanted;
}

/** A modal: the focus is kept inside and given back, Escape and a press beside it close it. */
export function Dialog(props: DialogProps) {
  return useWanted(props.open) ? (
    <Suspense fallback={null}>
      <DialogPopup {...props} />
    </Suspense>
  ) : null;
}

/** Slides in from the side and covers part of the page: what stands beside the page on a wide screen. */
export function Sheet(props: SheetProps) {
  return useWanted(props.open) ? (
    <Suspense fallback={null}>
      <SheetPopup {...props} />
    </Suspense>
  ) : null;
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
