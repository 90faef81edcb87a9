"use client";

import useSWR from "swr";
import { type ApiFailure, fetchJson, toFailure } from "@/components/lib/api-client";
import { apiPaths } from "@/components/lib/api-paths";
import type { DailyUsageView } from "@/lib/usage/contract";

/** What models used in the last days; `first` is the server-rendered answer. */
export function useUsage(days: number, first: DailyUsageView | null) {
  const { data, error } = useSWR<DailyUsageView>(apiPaths.usage(days), fetchJson, first ? { fallbackData: first } : {});
  const failure: ApiFailure | null = error && !data ? toFailure(error) : null;
  return { usage: data ?? null, failure };
}
