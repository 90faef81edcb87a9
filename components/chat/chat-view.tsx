"use client";

import { type ReactNode, useCallback, useEffect, useMemo } from "react";
import { AnswerContext } from "@/components/chat/answer-context";
import { ChatEmpty } from "@/components/chat/chat-empty";
import { toChatRows } from "@/components/chat/chat-rows";
import { Composer } from "@/components/chat/composer";
import { answerId } from "@/components/chat/fold-events";
import { MessageList } from "@/components/chat/message-list";
import { EndedRow } from "@/components/chat/notice-row";
import { openTodoInput } from "@/components/chat/part-rows";
import { QueueStrip } from "@/components/chat/queue-strip";
import { TodoStrip } from "@/components/chat/todo-strip";
import { TurnStatus } from "@/components/chat/turn-status";
import { useChatModel } from "@/components/chat/use-chat-model";
import { useChatStream } from "@/components/chat/use-chat-stream";
import { useTurnNews } from "@/components/chat/use-turn-news";
import { callApi } from "@/components/lib/api-client";
import { apiPaths } from "@/components/lib/api-paths";
import { newUuid } from "@/components/lib/new-uuid";
import { LimitsPopover } from "@/components/session/limits-popover";
import type { ChatView as Chat, MessageListView } from "@/lib/chat/contract";

/** One chat: the conversation, what waits, and where to write. `head` stands before its first message. */
export function ChatView({
  chat,
  initial,
  asleep,
  failed,
  readOnly,
  head,
}: {
  chat: Chat;
  initial: MessageListView;
  /** Whether a message would wake the sandbox. */
  asleep: boolean;
  /** Whether the sandbox gave up, so that nothing goes on by itself. */
  failed: boolean;
  /** Stands in place of the composer when nothing can be sent. */
  readOnly: ReactNode | null;
  head: ReactNode;
}) {
  const stream = useChatStream(chat, initial);
  const { state, connection } = stream;
  const { model, models, choose } = useChatModel(chat);
  const view = useMemo(() => toChatRows(state), [state]);
  const answerQuestion = useCallback(
    async (toolCallId: string, answer: string) => (await stream.answerQuestion(toolCallId, answer)) === null,
    [stream.answerQuestion],
  );
  const news = useTurnNews(chat, view.runningTurn ?? view.queuedTurn, state.lastEnded, connection);
  useEffect(() => {
    if (document.visibilityState === "visible") void callApi(apiPaths.read(chat.id), { method: "POST", body: {} });
  }, [chat.id]);

  // Where there is an answer, or words on why there is none, the end of the turn stands with them.
  const ended = state.lastEnded;
  const told =
    ended !== null &&
    (state.messages.some((message) => message.id === answerId(ended.id)) ||
      state.notices.some((notice) => notice.name === "turn_failed" && notice.turnId === ended.id));
  const waiting = view.runningTurn?.state === "waiting_for_user";
  const placeholder = waiting
    ? "Answer the agent"
    : asleep
      ? "Send a message to wake the sandbox"
      : view.runningTurn
        ? "Add something for the next turn"
        : "Message the agent";
  return (
    <AnswerContext value={answerQuestion}>
      <div className="flex min-h-0 flex-1 flex-col">
        <MessageList
          rows={view.rows}
          pending={view.pendingRows}
          hasOlder={stream.hasOlder}
          onLoadOlder={stream.loadOlder}
          head={head}
          tail={
            <>
              {view.rows.length + view.pendingRows.length === 0 && <ChatEmpty model={model} />}
              {ended && !told && !view.runningTurn && !view.queuedTurn && (
                <div className="py-2">
                  <EndedRow turn={ended} />
                </div>
              )}
            </>
          }
        />
        <div className="flex flex-col gap-1.5 px-3 pb-3 sm:px-4">
          <TodoStrip input={openTodoInput(view.rows)} />
          <QueueStrip
            queue={view.queue}
            pending={view.pendingQueue}
            onEdit={stream.editQueued}
            onRemove={stream.removeQueued}
          />
          <TurnStatus
            running={view.runningTurn}
            queued={view.queuedTurn}
            stuck={failed}
            connection={connection}
            onGoOn={() => stream.send({ id: newUuid(), text: "Go on." })}
            limits={<LimitsPopover sessionId={chat.sessionId} />}
            onTellMe={news.canAsk ? news.ask : null}
          />
          {readOnly ?? (
            <Composer
              chatId={chat.id}
              sessionId={chat.sessionId}
              placeholder={placeholder}
              stoppable={view.runningTurn !== null || view.queuedTurn !== null}
              model={model}
              models={models}
              onModel={choose}
              onSend={stream.send}
              onStop={stream.stop}
            />
          )}
        </div>
      </div>
    </AnswerContext>
  );
}
