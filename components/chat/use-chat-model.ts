"use client";

import { useCallback } from "react";
import { useSWRConfig } from "swr";
import { type ApiFailure, callApi } from "@/components/lib/api-client";
import { apiPaths } from "@/components/lib/api-paths";
import { useConfig } from "@/components/lib/use-config";
import { useChats } from "@/components/session/use-session";
import type { ChatView } from "@/lib/chat/contract";
import type { ModelInfo } from "@/lib/model/contract";

const NONE: readonly ModelInfo[] = [];

/** The model that answers in a chat, and the way to another one, which shows at once and counts from the next step on. */
export function useChatModel({ id, sessionId, model: first }: Pick<ChatView, "id" | "sessionId" | "model">) {
  const { chats } = useChats(sessionId);
  const { mutate } = useSWRConfig();
  const models = useConfig()?.models ?? NONE;
  const model = chats.find((chat) => chat.id === id)?.model ?? first;
  const choose = useCallback(
    async (ref: string): Promise<ApiFailure | null> => {
      const show = (known?: { chats: ChatView[] }) =>
        known && { chats: known.chats.map((chat) => (chat.id === id ? { ...chat, model: ref } : chat)) };
      void mutate(apiPaths.chats(sessionId), show, { revalidate: false });
      const answer = await callApi(apiPaths.chat(id), { method: "PATCH", body: { model: ref } });
      void mutate(apiPaths.chats(sessionId));
      return answer.ok ? null : answer.error;
    },
    [id, sessionId, mutate],
  );
  return { model, models, choose };
}
