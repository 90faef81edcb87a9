"use client";

import { useCallback, useEffect, useReducer, useRef, useState } from "react";
import { ChatConnection, type ConnectionState } from "@/components/chat/chat-connection";
import {
  type ChatFold,
  confirmSent,
  foldEvents,
  type PendingMessage,
  prependMessages,
  startFold,
} from "@/components/chat/fold-events";
import { useEventSink } from "@/components/chat/use-event-sink";
import { type ApiFailure, callApi, reloadToSignIn } from "@/components/lib/api-client";
import { apiPaths } from "@/components/lib/api-paths";
import type { ChatEvent, ChatMessage, ChatView, MessageListView, SendMessageView, TurnView } from "@/lib/chat/contract";

type Change =
  | { readonly type: "events"; readonly events: readonly ChatEvent[] }
  | { readonly type: "sending"; readonly message: PendingMessage }
  | { readonly type: "sent"; readonly message: ChatMessage; readonly turn: TurnView }
  | { readonly type: "unsent"; readonly id: string }
  | { readonly type: "older"; readonly older: MessageListView };

function reduce(state: ChatFold, change: Change): ChatFold {
  switch (change.type) {
    case "events":
      return foldEvents(state, change.events);
    case "sending":
      return { ...state, pending: [...state.pending, change.message] };
    case "sent":
      return confirmSent(state, change.message, change.turn);
    case "unsent":
      return { ...state, pending: state.pending.filter((entry) => entry.id !== change.id) };
    case "older":
      return prependMessages(state, change.older);
  }
}

/**
 * The chat in view: its messages as the page load gave them, kept up to date by one resumable stream, and what a
 * person does in it. Failures are given back, not thrown.
 */
export function useChatStream(chat: ChatView, initial: MessageListView) {
  const [state, dispatch] = useReducer(reduce, null, () => startFold({ ...initial, activeTurn: chat.activeTurn }));
  const [connection, setConnection] = useState<ConnectionState>("connecting");
  const [olderCursor, setOlderCursor] = useState(initial.cursor);
  const sink = useEventSink(chat.sessionId, chat.id);
  const lastSeq = useRef(state.lastSeq);
  lastSeq.current = state.lastSeq;

  useEffect(() => {
    const stream = new ChatConnection({
      after: lastSeq.current,
      open: (after, signal) =>
        fetch(apiPaths.events(chat.id, after), { signal, headers: { accept: "text/event-stream" }, cache: "no-store" }),
      onEvents: (events) => {
        dispatch({ type: "events", events });
        sink(events);
      },
      onState: (next) => {
        setConnection(next);
        if (next === "signed-out") reloadToSignIn();
      },
    });
    const onVisibility = () => stream.setVisible(document.visibilityState === "visible");
    const onOnline = () => stream.wake();
    stream.connect();
    onVisibility();
    document.addEventListener("visibilitychange", onVisibility);
    window.addEventListener("online", onOnline);
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      window.removeEventListener("online", onOnline);
      stream.close();
    };
  }, [chat.id, sink]);

  const send = useCallback(
    async (message: PendingMessage): Promise<ApiFailure | null> => {
      dispatch({ type: "sending", message });
      const answer = await callApi<SendMessageView>(apiPaths.messages(chat.id), { method: "POST", body: message });
      if (answer.ok) {
        dispatch({ type: "sent", message: answer.value.message as ChatMessage, turn: answer.value.turn });
        return null;
      }
      dispatch({ type: "unsent", id: message.id });
      return answer.error;
    },
    [chat.id],
  );

  const stop = useCallback(() => failureOfCall(apiPaths.stop(chat.id), "POST", {}), [chat.id]);
  const answerQuestion = useCallback(
    (toolCallId: string, answer: string) => failureOfCall(apiPaths.answers(chat.id), "POST", { toolCallId, answer }),
    [chat.id],
  );
  const editQueued = useCallback(
    (id: string, text: string) => failureOfCall(apiPaths.message(chat.id, id), "PATCH", { text }),
    [chat.id],
  );
  const removeQueued = useCallback((id: string) => failureOfCall(apiPaths.message(chat.id, id), "DELETE"), [chat.id]);
  const loadOlder = useCallback(async (): Promise<ApiFailure | null> => {
    if (olderCursor === null) return null;
    const answer = await callApi<MessageListView>(apiPaths.messages(chat.id, olderCursor));
    if (!answer.ok) return answer.error;
    dispatch({ type: "older", older: answer.value });
    setOlderCursor(answer.value.cursor);
    return null;
  }, [chat.id, olderCursor]);

  return {
    state,
    connection,
    hasOlder: olderCursor !== null,
    send,
    stop,
    answerQuestion,
    editQueued,
    removeQueued,
    loadOlder,
  };
}

async function failureOfCall(
  path: string,
  method: "POST" | "PATCH" | "DELETE",
  body?: object,
): Promise<ApiFailure | null> {
  const answer = await callApi<unknown>(path, { method, ...(body ? { body } : {}) });
  return answer.ok ? null : answer.error;
}
