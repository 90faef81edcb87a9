"use client";

import { Tooltip as Primitive } from "@base-ui/react/tooltip";
import type { ReactNode, RefObject } from "react";
import { classes } from "@/components/lib/classes";
import { Kbd } from "@/components/ui/kbd";
import { popupClass } from "@/components/ui/popup";

/** The words themselves, beside what they are about. */
export function TooltipPopup({
  anchor,
  open,
  onClose,
  side,
  keys,
  children,
}: {
  anchor: RefObject<HTMLElement | null>;
  open: boolean;
  onClose: () => void;
  side: "top" | "right" | "bottom" | "left";
  keys: string | undefined;
  children: ReactNode;
}) {
  return (
    <Primitive.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Primitive.Portal>
        <Primitive.Positioner anchor={anchor} side={side} sideOffset={6} collisionPadding={8} className="z-50">
          <Primitive.Popup
            className={classes(popupClass, "flex max-w-72 items-center gap-2 rounded-md px-2 py-1 text-xs")}
          >
            {children}
            {keys && <Kbd keys={keys} />}
          </Primitive.Popup>
        </Primitive.Positioner>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
