"use client";

import { lazy, type ReactElement, type ReactNode, Suspense } from "react";
import { useAnchored } from "@/components/ui/anchored";

export const loadPopover = () => import("@/components/ui/popover-popup");
const Popup = lazy(() => loadPopover().then(({ PopoverPopup }) => ({ default: PopoverPopup })));

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
        <Suspense fallback={null}>
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
        </Suspense>
      )}
    </>
  );
}
