"use client";

import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { classes } from "@/components/lib/classes";

export interface TabItem<Id extends string> {
  readonly id: Id;
  readonly label: string;
  readonly count?: number | undefined;
}

/**
 * Tabs by the ARIA pattern: one tab stop, arrow keys move and choose. `base` names the set in the document: the panel
 * of tab `x` is the element `<TabPanel base={base} id="x">`.
 */
export function Tabs<Id extends string>({
  base,
  label,
  items,
  value,
  onChange,
  panels = true,
  className,
}: {
  base: string;
  label: string;
  items: readonly TabItem<Id>[];
  value: Id;
  onChange: (id: Id) => void;
  /** False when what the tabs show is not in `TabPanel`s of their own. */
  panels?: boolean;
  className?: string;
}) {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = items.findIndex((item) => item.id === value);
    const next =
      event.key === "Home" ? 0 : event.key === "End" ? items.length - 1 : step === undefined ? null : at + step;
    if (next === null) return;
    event.preventDefault();
    const index = (next + items.length) % items.length;
    const item = items[index];
    if (!item) return;
    onChange(item.id);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[index]?.focus();
  };
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={label}
      onKeyDown={onKeyDown}
      className={classes("flex gap-1 border-b border-line", className)}
    >
      {items.map((item) => (
        <button
          key={item.id}
          type="button"
          role="tab"
          id={`${base}-tab-${item.id}`}
          aria-selected={item.id === value}
          aria-controls={panels ? `${base}-panel-${item.id}` : undefined}
          tabIndex={item.id === value ? 0 : -1}
          onClick={() => onChange(item.id)}
          className={classes(
            "-mb-px inline-flex min-h-10 items-center gap-1.5 border-b-2 px-2.5 text-sm font-medium focus-visible:-outline-offset-2",
            item.id === value ? "border-accent text-ink" : "border-transparent text-ink-soft hover:text-ink",
          )}
        >
          {item.label}
          {item.count !== undefined && (
            <span className="min-w-5 rounded-full bg-calm-soft px-1.5 text-center text-xs text-ink-soft tabular-nums">
              {item.count}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}

/** The panel of one tab. `hidden` keeps it in the document (and its state) while another is shown. */
export function TabPanel({
  base,
  id,
  hidden = false,
  className,
  children,
}: {
  base: string;
  id: string;
  hidden?: boolean;
  className?: string;
  children: ReactNode;
}) {
  return (
    <div
      role="tabpanel"
      id={`${base}-panel-${id}`}
      aria-labelledby={`${base}-tab-${id}`}
      hidden={hidden}
      className={className}
    >
      {children}
    </div>
  );
}
