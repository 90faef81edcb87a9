"use client";

import { Command } from "cmdk";
import Link from "next/link";
import { useState } from "react";
import { pagePaths } from "@/components/lib/api-paths";
import { modelFacts } from "@/components/settings/figures";
import { findModels } from "@/components/settings/find-models";
import { Icon } from "@/components/ui/icon";
import type { ModelInfo } from "@/lib/model/contract";

/** A list to search, each model with its context size, whether it sees images, and its price per million tokens. */
export function ModelList({
  models,
  value,
  onChoose,
}: {
  models: readonly ModelInfo[];
  value: string;
  onChoose: (ref: string) => void;
}) {
  const [typed, setTyped] = useState("");
  const found = findModels(models, typed);
  return (
    <Command label="Models" shouldFilter={false} loop defaultValue={value} className="flex min-h-0 flex-1 flex-col">
      <Command.Input
        value={typed}
        onValueChange={setTyped}
        placeholder="Search models"
        maxLength={200}
        className="h-11 shrink-0 border-b border-line bg-transparent px-3 text-base outline-none placeholder:text-ink-faint"
      />
      <Command.List className="scroll-area max-h-80 min-h-0 flex-1 p-1">
        <Command.Empty className="px-3 py-4 text-sm text-ink-faint">No model has this name.</Command.Empty>
        {found.map((model) => (
          <Command.Item
            key={model.ref}
            value={model.ref}
            onSelect={() => onChoose(model.ref)}
            className="flex cursor-default items-start gap-2 rounded-md px-2.5 py-2 select-none data-[selected=true]:bg-hover"
          >
            <span className="min-w-0 flex-1">
              <span className="block text-sm font-medium break-words">{model.label}</span>
              <span className="block text-xs text-ink-faint">{modelFacts(model)}</span>
            </span>
            {model.ref === value && (
              <span className="mt-0.5 text-accent">
                <Icon name="check" />
                <span className="sr-only">chosen</span>
              </span>
            )}
          </Command.Item>
        ))}
      </Command.List>
      <Link
        href={pagePaths.settings}
        className="flex min-h-10 shrink-0 items-center gap-2 border-t border-line px-3.5 text-sm text-ink-soft hover:bg-hover focus-visible:-outline-offset-2 pointer-coarse:min-h-11"
      >
        <Icon name="sliders" /> Set up providers
      </Link>
    </Command>
  );
}
