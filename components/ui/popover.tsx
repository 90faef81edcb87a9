"use client";

import { Popover as Primitive } from "@base-ui/react/popover";
import type { ReactElement, ReactNode } from "react";
import { classes } from "@/components/lib/classes";
import { popupClass } from "@/components/ui/popup";

/** A button and the small page that it opens beside itself. `title` names it for screen readers and stands on top. */
export function Popover({
  trigger,
  title,
  hideTitle = false,
  align = "start",
  open,
  onOpenChange,
  className,
  children,
}: {
  trigger: ReactElement;
  title: string;
  hideTitle?: boolean;
  align?: "start" | "center" | "end";
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  className?: string;
  children: ReactNode;
}) {
  return (
    <Primitive.Root {...(open === undefined ? {} : { open })} onOpenChange={(next) => onOpenChange?.(next)}>
      <Primitive.Trigger render={trigger} />
      <Primitive.Portal>
        <Primitive.Positioner className="z-50" sideOffset={6} align={align} collisionPadding={8}>
          <Primitive.Popup
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
