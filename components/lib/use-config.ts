"use client";

import useSWR from "swr";
import { fetchJson } from "@/components/lib/api-client";
import { apiPaths } from "@/components/lib/api-paths";
import type { ConfigView } from "@/lib/session/contract";

/** What this deployment offers the user, the models among it; undefined until it is known. */
export function useConfig(): ConfigView | undefined {
  return useSWR<ConfigView>(apiPaths.config, fetchJson, { revalidateOnFocus: false }).data;
}
