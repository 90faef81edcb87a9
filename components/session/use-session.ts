"use client";

import useSWR from "swr";
import { fetchJson } from "@/components/lib/api-client";
import { apiPaths } from "@/components/lib/api-paths";
import type { ChatView } from "@/lib/chat/contract";
import type { SessionView } from "@/lib/session/contract";

/** One session; the page's server-rendered answer is the fallback. */
export function useSession(sessionId: string): SessionView | undefined {
  const { data } = useSWR<{ session: SessionView }>(apiPaths.session(sessionId), fetchJson, {
    refreshInterval: 30_000,
  });
  return data?.session;
}

/** The chats of a session. */
export function useChats(sessionId: string) {
  const { data, mutate } = useSWR<{ chats: ChatView[] }>(apiPaths.chats(sessionId), fetchJson, {
    refreshInterval: 15_000,
  });
  return { chats: data?.chats ?? [], refresh: () => void mutate() };
}
