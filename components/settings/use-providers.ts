"use client";

import useSWR, { useSWRConfig } from "swr";
import { type ApiFailure, fetchJson, toFailure } from "@/components/lib/api-client";
import { apiPaths } from "@/components/lib/api-paths";
import type { ProviderListView } from "@/lib/model/contract";

/** The model providers of the user; `first` is the server-rendered list. */
export function useProviders(first: ProviderListView | null) {
  const { data, error } = useSWR<ProviderListView>(apiPaths.providers, fetchJson, first ? { fallbackData: first } : {});
  const failure: ApiFailure | null = error && !data ? toFailure(error) : null;
  return { list: data ?? null, failure };
}

/** Asks again for what depends on the providers: themselves, and the models that can be chosen. */
export function useRefreshProviders(): () => Promise<void> {
  const { mutate } = useSWRConfig();
  return async () => {
    await Promise.all([mutate(apiPaths.providers), mutate(apiPaths.config)]);
  };
}
