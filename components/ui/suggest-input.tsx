"use client";

import { Autocomplete as Primitive } from "@base-ui/react/autocomplete";
import { type InputHTMLAttributes, useState } from "react";
import { classes } from "@/components/lib/classes";
import { controlClass } from "@/components/ui/field";
import { Icon, type IconName } from "@/components/ui/icon";
import { popupClass } from "@/components/ui/popup";

export interface Suggestion {
  readonly value: string;
  /** What tells it from the others, before the value itself. */
  readonly label: string;
  readonly icon?: IconName;
}

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, "value" | "defaultValue" | "onChange" | "list" | "type">;

/** A text field that proposes what was written there before; anything else may be written too. */
export function SuggestInput({
  value,
  onChange,
  suggestions,
  className,
  ...input
}: InputProps & {
  value: string;
  onChange: (value: string) => void;
  suggestions: readonly Suggestion[];
}) {
  const [asked, setAsked] = useState(false);
  const typed = value.trim().toLowerCase();
  // An empty list would still count as open, and an open one hides the rest of the page from screen readers.
  const fitting = suggestions.filter((item) => item.value.toLowerCase().includes(typed) && item.value !== value.trim());
  return (
    <Primitive.Root
      items={fitting}
      itemToStringValue={(item) => item.value}
      value={value}
      onValueChange={(next) => onChange(next)}
      filter={null}
      open={asked && fitting.length > 0}
      onOpenChange={(next) => setAsked(next)}
      openOnInputClick
    >
      <Primitive.Input {...input} className={classes(controlClass, className)} />
      <Primitive.Portal>
        <Primitive.Positioner sideOffset={4} className="z-50 outline-none">
          <Primitive.Popup
            className={classes(popupClass, "w-(--anchor-width) max-w-(--available-width) data-empty:hidden")}
          >
            <Primitive.List className="scroll-area max-h-[min(18rem,var(--available-height))] p-1 data-empty:p-0">
              {(item: Suggestion) => (
                <Primitive.Item
                  key={item.value}
                  value={item}
                  className="flex min-h-9 cursor-default items-center gap-2.5 rounded-md px-2 text-sm outline-none select-none data-highlighted:bg-hover pointer-coarse:min-h-11"
                >
                  {item.icon && <Icon name={item.icon} className="size-4 text-ink-faint" />}
                  <bdi className="shrink-0 font-medium">{item.label}</bdi>
                  {item.value !== item.label && (
                    <bdi className="min-w-0 truncate text-xs text-ink-faint">{item.value}</bdi>
                  )}
                </Primitive.Item>
              )}
            </Primitive.List>
          </Primitive.Popup>
        </Primitive.Positioner>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
