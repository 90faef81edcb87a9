"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import type { ConnectionState } from "@/components/chat/chat-connection";
import { markTitle, newsWords, type TurnNews, turnNews } from "@/components/chat/turn-news";
import { callApi } from "@/components/lib/api-client";
import { apiPaths } from "@/components/lib/api-paths";
import type { ChatView, TurnView } from "@/lib/chat/contract";

/** A hidden tab lets go of its stream; it looks this often whether the turn has ended. */
const LOOK_MS = 15_000;

/**
 * Tells somebody who looks elsewhere that a turn ended or asks: by the title of the tab, and by a notification of the
 * system if that was allowed. `canAsk` says whether it is worth offering; `ask` must come from a press of a button.
 */
export function useTurnNews(
  chat: ChatView,
  turn: TurnView | null,
  lastEnded: TurnView | null,
  connection: ConnectionState,
): { canAsk: boolean; ask: () => void } {
  const seen = useRef(turn);
  const [permission, setPermission] = useState<NotificationPermission | null>(null);
  useEffect(() => {
    if ("Notification" in window) setPermission(Notification.permission);
  }, []);

  const look = useCallback(
    (now: TurnView | null, ended: TurnView | null) => {
      const news = turnNews(seen.current, now, ended);
      seen.current = now;
      if (news && document.visibilityState === "hidden") announce(chat, news);
    },
    [chat],
  );
  useEffect(() => look(turn, lastEnded), [look, turn, lastEnded]);

  useEffect(() => {
    if (connection !== "paused" || !seen.current) return;
    const timer = setInterval(async () => {
      const answer = await callApi<{ chat: ChatView }>(apiPaths.chat(chat.id));
      if (answer.ok) look(answer.value.chat.activeTurn, null);
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [connection, chat.id, look]);

  useEffect(() => {
    const clean = () => {
      if (document.visibilityState === "visible") document.title = markTitle(document.title, null);
    };
    document.addEventListener("visibilitychange", clean);
    return () => document.removeEventListener("visibilitychange", clean);
  }, []);

  return {
    canAsk: permission === "default",
    ask: () => void Notification.requestPermission().then(setPermission),
  };
}

function announce(chat: ChatView, news: TurnNews): void {
  const { mark, text } = newsWords(news);
  const title = markTitle(document.title, null);
  document.title = markTitle(title, mark);
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  try {
    const notification = new Notification(title, { body: text, tag: `dormouse-${chat.id}`, icon: "/icon.svg" });
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
  } catch {
    // Phones let only service workers notify; the title of the tab has to do.
  }
}
