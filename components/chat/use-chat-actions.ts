"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useSWRConfig } from "swr";
import { type ApiFailure, callApi } from "@/components/lib/api-client";
import { apiPaths, pagePaths } from "@/components/lib/api-paths";
import type { ChatView } from "@/lib/chat/contract";

/** What a person can do with the chat in view. After it is deleted its neighbour comes into view. */
export function useChatActions(current: ChatView | undefined, chats: readonly ChatView[]) {
  const { mutate } = useSWRConfig();
  const router = useRouter();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [removing, setRemoving] = useState(false);

  async function rename(title: string): Promise<boolean> {
    if (!current) return false;
    const answer = await callApi(apiPaths.chat(current.id), { method: "PATCH", body: { title } });
    setFailure(answer.ok ? null : answer.error);
    if (answer.ok) await mutate(apiPaths.chats(current.sessionId));
    return answer.ok;
  }

  async function remove(): Promise<void> {
    if (!current) return;
    setRemoving(true);
    const answer = await callApi(apiPaths.chat(current.id), { method: "DELETE" });
    setRemoving(false);
    setFailure(answer.ok ? null : answer.error);
    if (!answer.ok) return;
    const at = chats.findIndex((chat) => chat.id === current.id);
    const next = chats[at + 1] ?? chats[at - 1];
    if (next) router.replace(pagePaths.chat(next.sessionId, next.id));
    void mutate(apiPaths.chats(current.sessionId));
  }

  return { rename, remove, removing, failure, dismiss: () => setFailure(null) };
}
