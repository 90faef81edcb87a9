"use client";

import { useCallback } from "react";
import { useSWRConfig } from "swr";
import useSWRInfinite, { unstable_serialize } from "swr/infinite";
import { type ApiFailure, fetchJson, toFailure } from "@/components/lib/api-client";
import { apiPaths, type ListStatus } from "@/components/lib/api-paths";
import { SANDBOX_WORDS } from "@/components/session/sandbox-words";
import type { SessionListView, SessionView } from "@/lib/session/contract";

type Pages = SessionListView[];

const keyOf = (status: ListStatus, q: string) => (index: number, previous: SessionListView | null) => {
  if (index > 0 && !previous?.nextCursor) return null;
  return apiPaths.sessionList(status, q, previous?.nextCursor ?? null);
};

function pollMs(pages: Pages | undefined): number {
  const moving = pages?.some((page) =>
    page.sessions.some((entry) => entry.activity === "working" || SANDBOX_WORDS[entry.sandboxState].passing),
  );
  return moving ? 4_000 : 15_000;
}

/**
 * The list of sessions, page by page, polled more often while something in it changes. `first` is the server-rendered
 * first page of the active list without a search.
 */
export function useSessions(status: ListStatus, q: string, first: SessionListView | null) {
  const fallback = status === "active" && q === "" && first ? { fallbackData: [first] } : {};
  const { data, error, size, setSize, mutate, isLoading, isValidating } = useSWRInfinite<SessionListView>(
    keyOf(status, q),
    fetchJson,
    { ...fallback, refreshInterval: pollMs, keepPreviousData: true },
  );
  const failure: ApiFailure | null = error && !data ? toFailure(error) : null;
  return {
    sessions: data ? unique(data.flatMap((page) => page.sessions)) : null,
    counts: data?.[0]?.counts ?? null,
    hasMore: Boolean(data?.at(-1)?.nextCursor),
    loadMore: () => void setSize(size + 1),
    retry: () => void mutate(),
    isLoading,
    isLoadingMore: isValidating && size > (data?.length ?? 0),
    failure,
  };
}

/** Asks for both lists again after something in them was changed. */
export function useRefreshSessions(): () => void {
  const { mutate } = useSWRConfig();
  return useCallback(() => {
    for (const status of ["active", "archived"] as const) void mutate(unstable_serialize(keyOf(status, "")));
  }, [mutate]);
}

/** Takes a session out of both lists before the server has answered. */
export function useForgetSession(): (sessionId: string) => void {
  const { mutate } = useSWRConfig();
  return useCallback(
    (sessionId) => {
      const without = (pages: Pages | undefined) =>
        pages?.map((page) => ({ ...page, sessions: page.sessions.filter((entry) => entry.id !== sessionId) }));
      for (const status of ["active", "archived"] as const) {
        void mutate(unstable_serialize(keyOf(status, "")), without, { revalidate: false });
      }
    },
    [mutate],
  );
}

/** A session that moved between two pages while they were fetched is in both. */
function unique(sessions: SessionView[]): SessionView[] {
  return [...new Map(sessions.map((entry) => [entry.id, entry])).values()];
}
