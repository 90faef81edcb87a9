"use client";

import { cloneElement, lazy, type ReactElement, type ReactNode, Suspense, useEffect, useRef, useState } from "react";

export const loadTooltip = () => import("@/components/ui/tooltip-popup");
const Popup = lazy(() => loadTooltip().then(({ TooltipPopup }) => ({ default: TooltipPopup })));
const DELAY_MS = 500;

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
  const anchor = useRef<HTMLElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = (delayMs: number) => {
    void loadTooltip();
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setWanted(true);
      setOpen(true);
    }, delayMs);
  };
  const hide = () => {
    clearTimeout(timer.current);
    setOpen(false);
  };
  const button = cloneElement(children as ReactElement<Record<string, unknown>>, {
    ref: anchor,
    onPointerEnter: (event: PointerEvent) => event.pointerType === "mouse" && show(DELAY_MS),
    onPointerLeave: hide,
    onPointerDown: hide,
    onFocus: (event: FocusEvent) => (event.target as HTMLElement).matches(":focus-visible") && show(0),
    onBlur: hide,
  });
  return (
    <>
      {button}
      {wanted && (
        <Suspense fallback={null}>
          <Popup anchor={anchor} open={open} onClose={hide} side={side} keys={keys}>
            {label}
          </Popup>
        </Suspense>
      )}
    </>
  );
}
