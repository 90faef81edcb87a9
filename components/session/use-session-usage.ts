"use client";

import useSWR, { useSWRConfig } from "swr";
import { type ApiFailure, callApi, fetchJson, toFailure } from "@/components/lib/api-client";
import { apiPaths } from "@/components/lib/api-paths";
import type { SessionUsageView } from "@/lib/usage/contract";

/** What a session has used, and its limits. Not polled: the end of a turn makes it be asked for again. */
export function useSessionUsage(sessionId: string) {
  const { data, error } = useSWR<SessionUsageView>(apiPaths.sessionUsage(sessionId), fetchJson);
  const failure: ApiFailure | null = error && !data ? toFailure(error) : null;
  return { usage: data ?? null, failure };
}

/** Changes limits of a session; a turn that waits at one goes on if it may now. */
export function useChangeLimits(sessionId: string) {
  const { mutate } = useSWRConfig();
  return async (limits: Partial<SessionUsageView["limits"]>): Promise<ApiFailure | null> => {
    const answer = await callApi(apiPaths.session(sessionId), { method: "PATCH", body: { limits } });
    if (!answer.ok) return answer.error;
    await mutate(apiPaths.sessionUsage(sessionId));
    return null;
  };
}
