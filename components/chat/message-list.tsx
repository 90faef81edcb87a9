"use client";

import { memo, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import type { ChatRow } from "@/components/chat/chat-rows";
import type { PendingMessage } from "@/components/chat/fold-events";
import { MessageRow, UserBubble } from "@/components/chat/message-row";
import { EndedRow, NoticeRow } from "@/components/chat/notice-row";
import { useStickToEnd } from "@/components/chat/use-stick-to-end";
import { Button } from "@/components/ui/button";

/** The conversation in its scrolling box. `head` stands before the first message, `tail` after the last. */
export const MessageList = memo(function MessageList({
  rows,
  pending,
  hasOlder,
  onLoadOlder,
  head,
  tail,
}: {
  rows: readonly ChatRow[];
  pending: readonly PendingMessage[];
  hasOlder: boolean;
  onLoadOlder: () => Promise<unknown>;
  head: ReactNode;
  tail: ReactNode;
}) {
  const box = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { atEnd, toEnd } = useStickToEnd(box, content);
  const older = useKeepPlace(box, rows[0]?.key, onLoadOlder);
  return (
    <div className="relative min-h-0 flex-1">
      <section
        ref={box}
        aria-label="Conversation"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
        className="scroll-area h-full px-3 focus-visible:-outline-offset-2 sm:px-4"
      >
        <div ref={content} className="mx-auto flex max-w-3xl flex-col gap-4 py-4">
          {head}
          {hasOlder && (
            <Button variant="ghost" busy={older.loading} onClick={older.load} className="self-center">
              Earlier messages
            </Button>
          )}
          {rows.map((row) =>
            row.kind === "message" ? (
              <MessageRow key={row.key} message={row.message} live={row.live} />
            ) : row.kind === "notice" ? (
              <NoticeRow
                key={row.key}
                text={row.notice.message}
                tone={row.notice.name === "turn_failed" ? "danger" : "warn"}
              />
            ) : (
              <EndedRow key={row.key} turn={row.turn} />
            ),
          )}
          {pending.map((message) => (
            <UserBubble key={message.id} text={message.text} />
          ))}
          {tail}
        </div>
      </section>
      {!atEnd && (
        <Button onClick={toEnd} className="absolute bottom-2 left-1/2 -translate-x-1/2 shadow-raised">
          To the end
        </Button>
      )}
    </div>
  );
});

/** Keeps the messages in view where they are when older ones come in above them. */
function useKeepPlace(
  box: { readonly current: HTMLElement | null },
  firstKey: string | undefined,
  load: () => Promise<unknown>,
) {
  const [loading, setLoading] = useState(false);
  const before = useRef<{ height: number; top: number } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another first row is what says that older ones came in
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !before.current) return;
    element.scrollTop = before.current.top + element.scrollHeight - before.current.height;
    before.current = null;
  }, [firstKey]);
  return {
    loading,
    load: async () => {
      const element = box.current;
      if (element) before.current = { height: element.scrollHeight, top: element.scrollTop };
      setLoading(true);
      await load();
      setLoading(false);
    },
  };
}
