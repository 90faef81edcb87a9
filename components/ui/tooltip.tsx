"use client";

import { cloneElement, type ReactElement, type ReactNode, useEffect, useRef, useState } from "react";
import { onDemand, partOf } from "@/components/ui/on-demand";

const tooltip = onDemand(() => import("@/components/ui/tooltip-popup"));
export const loadTooltip = tooltip.load;
const Popup = partOf(tooltip, (parts) => parts.TooltipPopup);
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
        <Popup anchor={anchor} open={open} onClose={hide} side={side} keys={keys}>
          {label}
        </Popup>
      )}
    </>
  );
}
