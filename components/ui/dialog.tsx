"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import type { DialogProps, OverlayProps, SheetProps } from "@/components/ui/dialog-parts";
import { onDemand, partOf } from "@/components/ui/on-demand";

/** What lies above the page comes in one piece, when it is first wanted. */
const dialog = onDemand(() => import("@/components/ui/dialog-parts"));
export const loadDialog = dialog.load;
const DialogPopup = partOf(dialog, (parts) => parts.DialogPopup);
const SheetPopup = partOf(dialog, (parts) => parts.SheetPopup);

/** Whether it was ever open: from then on it stays mounted, so that it can go away with a movement. */
function useWanted(open: boolean): boolean {
  const [wanted, setWanted] = useState(open);
  if (open && !wanted) setWanted(true);
  return wanted;
}

/** A modal: the focus is kept inside and given back, Escape and a press beside it close it. */
export function Dialog(props: DialogProps) {
  return useWanted(props.open) ? <DialogPopup {...props} /> : null;
}

/** Slides in from the side and covers part of the page: what stands beside the page on a wide screen. */
export function Sheet(props: SheetProps) {
  return useWanted(props.open) ? <SheetPopup {...props} /> : null;
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
