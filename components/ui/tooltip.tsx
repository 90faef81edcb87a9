"use client";

import { Tooltip as Primitive } from "@base-ui/react/tooltip";
import type { ReactElement, ReactNode } from "react";
import { classes } from "@/components/lib/classes";
import { Kbd } from "@/components/ui/kbd";
import { popupClass } from "@/components/ui/popup";

/**
 * A few words on hover and focus about the button that it wraps. It is no label: the button needs its own accessible
 * name, and a phone never shows it.
 */
export function Tooltip({
  label,
  keys,
  side = "top",
  children,
}: {
  label: ReactNode;
  /** The keys that do the same, as `Kbd` takes them. */
  keys?: string;
  side?: "top" | "right" | "bottom" | "left";
  children: ReactElement;
}) {
  return (
    <Primitive.Root>
      <Primitive.Trigger render={children} />
      <Primitive.Portal>
        <Primitive.Positioner side={side} sideOffset={6} collisionPadding={8} className="z-50">
          <Primitive.Popup
            className={classes(popupClass, "flex max-w-72 items-center gap-2 rounded-md px-2 py-1 text-xs")}
          >
            {label}
            {keys && <Kbd keys={keys} />}
          </Primitive.Popup>
        </Primitive.Positioner>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** Around the page: after the first tooltip its neighbours show at once. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return <Primitive.Provider delay={500}>{children}</Primitive.Provider>;
}
