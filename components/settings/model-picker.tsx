"use client";

import { Combobox } from "@base-ui/react/combobox";
import { useRef } from "react";
import { classes } from "@/components/lib/classes";
import { modelFacts } from "@/components/settings/figures";
import { Icon } from "@/components/ui/icon";
import type { ModelInfo } from "@/lib/model/contract";

/** A gateway has hundreds; more than this nobody scrolls through, and typing finds the rest. */
const SHOWN = 60;

/**
 * Chooses a model: a button with the present one that opens a list to search, each entry with its context size, whether it
 * sees images, and its price per million tokens. `value` may name a model that is not in the list any more.
 */
export function ModelPicker({
  models,
  value,
  onChange,
  label = "Model",
  disabled = false,
  className,
}: {
  models: readonly ModelInfo[];
  value: string;
  onChange: (ref: string) => void;
  label?: string;
  disabled?: boolean;
  className?: string;
}) {
  const chosen = models.find((model) => model.ref === value) ?? null;
  const trigger = useRef<HTMLButtonElement>(null);
  return (
    <Combobox.Root
      items={models}
      value={chosen}
      onValueChange={(model) => model && onChange(model.ref)}
      itemToStringLabel={(model) => `${model.label} ${model.ref}`}
      limit={SHOWN}
      disabled={disabled}
    >
      <Combobox.Trigger
        ref={trigger}
        aria-label={`${label}: ${chosen?.label ?? value}`}
        className={classes(
          "inline-flex min-h-8 max-w-full min-w-0 items-center gap-1.5 rounded-md border border-line-strong bg-surface px-2.5 text-sm font-medium text-ink not-disabled:hover:bg-hover disabled:opacity-55 pointer-coarse:min-h-10",
          className,
        )}
      >
        <span className="min-w-0 truncate">{chosen?.label ?? value}</span>
        <Icon name="chevron" className="size-3.5 rotate-90" />
      </Combobox.Trigger>
      <Combobox.Portal>
        <Combobox.Positioner sideOffset={6} align="start" className="z-50 outline-none">
          <Combobox.Popup
            aria-label={label}
            className="flex max-h-[min(26rem,var(--available-height))] w-[min(26rem,calc(100vw-1.5rem))] flex-col overflow-hidden rounded-lg border border-line bg-surface text-ink shadow-raised"
          >
            <Combobox.Input
              aria-label="Search models"
              placeholder="Search models"
              className="border-b border-line bg-transparent px-3 py-2.5 text-base outline-none placeholder:text-ink-faint"
            />
            <Combobox.Empty>
              <p className="px-3 py-4 text-sm text-ink-faint">
                No model has this name. Providers are set up in Settings.
              </p>
            </Combobox.Empty>
            <Combobox.List className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-1 empty:p-0">
              {(model: ModelInfo) => <ModelItem key={model.ref} model={model} />}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}

function ModelItem({ model }: { model: ModelInfo }) {
  return (
    <Combobox.Item
      value={model}
      className="flex cursor-default items-start gap-2 rounded-md px-2.5 py-2 outline-none data-highlighted:bg-hover"
    >
      <span className="min-w-0 flex-1">
        <span className="block text-sm font-medium break-words">{model.label}</span>
        <span className="block text-xs text-ink-faint">{modelFacts(model)}</span>
      </span>
      <Combobox.ItemIndicator className="mt-0.5 text-accent">
        <Icon name="check" />
      </Combobox.ItemIndicator>
    </Combobox.Item>
  );
}
