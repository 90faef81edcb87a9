"use client";

import { useState } from "react";
import { ProviderForm } from "@/components/settings/provider-form";
import { PROVIDER_HINTS, providerState } from "@/components/settings/provider-words";
import { Button } from "@/components/ui/button";
import { Chip } from "@/components/ui/chip";
import type { ProviderView } from "@/lib/model/contract";

/** One provider: how it stands, and the form behind a button. */
export function ProviderCard({ view, privateAddresses }: { view: ProviderView; privateAddresses: boolean }) {
  const [open, setOpen] = useState(false);
  const { word, tone } = providerState(view);
  const formId = `provider-${view.provider}`;
  return (
    <li className="rounded-lg border border-line bg-surface p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h3 className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium">
            {view.label}
            <Chip tone={tone} dot>
              {word}
            </Chip>
          </h3>
          <p className="mt-0.5 text-sm text-ink-faint">{PROVIDER_HINTS[view.provider]}</p>
          {view.baseUrl && <p className="mt-0.5 font-mono text-xs break-all text-ink-faint">{view.baseUrl}</p>}
        </div>
        <Button aria-expanded={open} aria-controls={formId} onClick={() => setOpen(!open)}>
          {open ? "Close" : view.source === "settings" ? "Change" : "Set up"}
          <span className="sr-only"> {view.label}</span>
        </Button>
      </div>
      <div id={formId}>{open && <ProviderForm view={view} privateAddresses={privateAddresses} />}</div>
    </li>
  );
}
