"use client";

import { Popover as Primitive } from "@base-ui/react/popover";
import type { ReactNode, RefObject } from "react";
import { classes } from "@/components/lib/classes";
import type { ChangeDetails } from "@/components/ui/anchored";
import { popupClass } from "@/components/ui/popup";

/** The small page itself, beside its button, which keeps its own part of the work. */
export function PopoverPopup({
  anchor,
  align,
  open,
  onOpenChange,
  title,
  hideTitle,
  className,
  children,
}: {
  anchor: RefObject<HTMLElement | null>;
  align: "start" | "center" | "end";
  open: boolean;
  onOpenChange: (open: boolean, details: ChangeDetails) => void;
  title: string;
  hideTitle: boolean;
  className: string | undefined;
  children: ReactNode;
}) {
  return (
    <Primitive.Root open={open} onOpenChange={(next, details) => onOpenChange(next, details)}>
      <Primitive.Portal>
        <Primitive.Positioner anchor={anchor} className="z-50" sideOffset={6} align={align} collisionPadding={8}>
          <Primitive.Popup
            finalFocus={anchor}
            className={classes(
              popupClass,
              "scroll-area max-h-(--available-height) w-[min(24rem,calc(100vw-1rem))] p-4",
              className,
            )}
          >
            <Primitive.Title className={hideTitle ? "sr-only" : "mb-2 text-sm font-semibold"}>{title}</Primitive.Title>
            {children}
          </Primitive.Popup>
        </Primitive.Positioner>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
