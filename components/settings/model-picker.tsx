"use client";

import { useState } from "react";
import { classes } from "@/components/lib/classes";
import { Icon } from "@/components/ui/icon";
import { onDemand, partOf } from "@/components/ui/on-demand";
import { loadPopover, Popover } from "@/components/ui/popover";
import type { ModelInfo } from "@/lib/model/contract";

/** The list comes with what it needs for searching, when it is first wanted. */
const list = onDemand(() => import("@/components/settings/model-list"));
const List = partOf(list, (parts) => parts.ModelList);
const preload = () => void Promise.allSettled([list.load(), loadPopover()]);

/**
 * Chooses a model: a button with the present one that opens a list to search. `value` may name a model that is not in the
 * list any more.
 */
export function ModelPicker({
  models,
  value,
  onChange,
  disabled = false,
  className,
}: {
  models: readonly ModelInfo[];
  value: string;
  onChange: (ref: string) => void;
  disabled?: boolean;
  className?: string;
}) {
  const [open, setOpen] = useState(false);
  const shown = models.find((model) => model.ref === value)?.label ?? value;
  // The list is there before it opens, so that the focus finds its field.
  const change = (next: boolean) => (next ? void list.load().then(() => setOpen(true)) : setOpen(false));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only fetches ahead of the press on the button inside
    <span className={classes("inline-flex min-w-0", className)} onPointerEnter={preload} onFocus={preload}>
      <Popover
        title="Model"
        hideTitle
        open={open}
        onOpenChange={change}
        className="flex flex-col overflow-hidden! p-0!"
        trigger={
          <button
            type="button"
            aria-label={`Model: ${shown}`}
            disabled={disabled}
            className="inline-flex min-h-10 min-w-0 items-center gap-1 rounded-md px-2 text-sm text-ink-soft not-disabled:hover:bg-hover not-disabled:hover:text-ink disabled:opacity-55 pointer-coarse:min-h-11"
          >
            <span className="min-w-0 truncate">{shown}</span>
            <Icon name="down" className="size-3.5" />
          </button>
        }
      >
        <List
          models={models}
          value={value}
          onChoose={(ref) => {
            setOpen(false);
            if (ref !== value) onChange(ref);
          }}
        />
      </Popover>
    </span>
  );
}
