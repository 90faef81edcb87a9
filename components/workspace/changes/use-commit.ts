"use client";

import { useState } from "react";
import { useSWRConfig } from "swr";
import { type ApiFailure, callApi } from "@/components/lib/api-client";
import { apiPaths } from "@/components/lib/api-paths";
import type { CommitView } from "@/lib/session/contract";

/** Commits everything that is uncommitted, and pushes it if wanted. */
export function useCommit(sessionId: string) {
  const { mutate } = useSWRConfig();
  const [committing, setCommitting] = useState(false);
  const [done, setDone] = useState<(CommitView & { pushedOnly: boolean }) | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  async function commit(message: string, push: boolean, pushedOnly: boolean): Promise<boolean> {
    setCommitting(true);
    setFailure(null);
    setDone(null);
    const body = { push, ...(message.trim() ? { message: message.trim() } : {}) };
    const answer = await callApi<CommitView>(apiPaths.commit(sessionId), { method: "POST", body });
    // A commit may have worked and its push not, so what is shown is asked for again in both cases.
    for (const scope of ["all", "uncommitted"] as const) void mutate(apiPaths.diff(sessionId, scope));
    await mutate(apiPaths.git(sessionId));
    setCommitting(false);
    if (answer.ok) setDone({ ...answer.value, pushedOnly });
    else setFailure(answer.error);
    return answer.ok;
  }
  return { commit, committing, done, failure };
}
