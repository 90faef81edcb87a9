"use client";

import useSWR from "swr";
import { fetchJson, toFailure } from "@/components/lib/api-client";
import { apiPaths } from "@/components/lib/api-paths";
import { useAgainWhen } from "@/components/lib/use-again-when";
import type { DiffView, GitView } from "@/lib/sandbox/contract";

export type DiffScope = "all" | "uncommitted";

/**
 * The changes of a session. Not polled: asked for when shown, when a tool or a turn ends, when the sandbox becomes
 * another (`sandboxVersion`), after a commit and on demand.
 */
export function useDiff(sessionId: string, scope: DiffScope, sandboxVersion: number) {
  const { data, error, isValidating, mutate } = useSWR<DiffView>(apiPaths.diff(sessionId, scope), fetchJson, {
    keepPreviousData: true,
  });
  useAgainWhen(sandboxVersion, mutate);
  return {
    diff: data,
    failure: error ? toFailure(error) : null,
    isLoading: isValidating,
    refresh: () => void mutate(),
  };
}

/** Where the branch stands and what the next commit would say; asked for together with the changes. */
export function useGit(sessionId: string, sandboxVersion: number) {
  const { data, mutate } = useSWR<GitView>(apiPaths.git(sessionId), fetchJson, { keepPreviousData: true });
  useAgainWhen(sandboxVersion, mutate);
  return { git: data, refresh: () => void mutate() };
}
