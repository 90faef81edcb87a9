"use client";

import type { ReactElement, ReactNode } from "react";
import { useAnchored } from "@/components/ui/anchored";
import { onDemand, partOf } from "@/components/ui/on-demand";

const popover = onDemand(() => import("@/components/ui/popover-popup"));
export const loadPopover = popover.load;
const Popup = partOf(popover, (parts) => parts.PopoverPopup);

/** A button and the small page that it opens beside itself. `title` names it for screen readers and stands on top. */
export function Popover({
  trigger,
  title,
  hideTitle = false,
  align = "start",
  open: controlled,
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
  const { anchor, button, open, wanted, change } = useAnchored({
    trigger,
    kind: "dialog",
    load: loadPopover,
    open: controlled,
    onOpenChange,
  });
  return (
    <>
      {button}
      {wanted && (
        <Popup
          anchor={anchor}
          align={align}
          open={open}
          onOpenChange={change}
          title={title}
          hideTitle={hideTitle}
          className={className}
        >
          {children}
        </Popup>
      )}
    </>
  );
}
