"use client";

import useSWR from "swr";
import { fetchJson } from "@/components/lib/api-client";
import { apiPaths } from "@/components/lib/api-paths";
import { usePolled } from "@/components/lib/use-polled";
import { statusPollMs } from "@/components/session/sandbox-words";
import type { SandboxView, TransitionView } from "@/lib/sandbox/contract";

/**
 * The sandbox of a session: polled each 15 s, each 2 s while it changes, and at once when the page gets the focus.
 * The chat's stream writes into the same cache, so the poll is only the safety net. Asking never wakes the sandbox.
 */
export function useSandboxStatus(sessionId: string): SandboxView | undefined {
  const { data } = usePolled<SandboxView>(apiPaths.sandbox(sessionId), statusPollMs, {
    focusThrottleInterval: 0,
    dedupingInterval: 500,
  });
  return data;
}

/** The newest changes of state; fetched again for each new version of the sandbox. */
export function useTransitions(sessionId: string, version: number | undefined) {
  const { data, error } = useSWR<{ transitions: TransitionView[] }>(
    version === undefined ? null : [apiPaths.transitions(sessionId), version],
    ([path]: [string, number]) => fetchJson<{ transitions: TransitionView[] }>(path),
    { keepPreviousData: true, revalidateOnFocus: false },
  );
  return { transitions: data?.transitions ?? null, failed: Boolean(error) };
}
