"use client";

import { ProviderCard } from "@/components/settings/provider-card";
import { useProviders } from "@/components/settings/use-providers";
import { ErrorNote } from "@/components/ui/error-note";
import type { ProviderListView } from "@/lib/model/contract";

/** Every model provider, with its form. */
export function ProviderList({ first }: { first: ProviderListView | null }) {
  const { list, failure } = useProviders(first);
  if (failure) return <ErrorNote message={failure.message} reference={failure.requestId} />;
  if (!list) return <p className="text-sm text-ink-faint">Loading the providers…</p>;
  const none = list.providers.every(({ source }) => source === null);
  return (
    <>
      {none && (
        <p className="mb-3 text-sm text-ink-soft">
          No provider is set up yet, so only the scripted demo model can be chosen. Set up one to work with a real
          model.
        </p>
      )}
      <ul className="flex flex-col gap-3">
        {list.providers.map((view) => (
          <ProviderCard key={view.provider} view={view} privateAddresses={list.privateAddresses} />
        ))}
      </ul>
    </>
  );
}
