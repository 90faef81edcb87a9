"use client";

import {
  memo,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Virtualizer } from "virtua";
import { AnswerGroups, groupAnswers } from "@/components/chat/answer-groups";
import type { ChatRow } from "@/components/chat/chat-rows";
import type { PendingMessage } from "@/components/chat/fold-events";
import { KeptState } from "@/components/chat/kept-state";
import { ConversationRow } from "@/components/chat/message-row";
import { asToolPart, isUnsettled } from "@/components/chat/message-types";
import { grewUpwards, type ListRow, toListRows } from "@/components/chat/part-rows";
import { useOlder } from "@/components/chat/use-older";
import { useStickToEnd } from "@/components/chat/use-stick-to-end";
import type { ApiFailure } from "@/components/lib/api-client";
import { isMarkdownReady, preloadMarkdown } from "@/components/markdown/markdown";
import { Button } from "@/components/ui/button";

/** As many rows as fill any screen; what the server renders of a chat. */
const FIRST_ROWS = 40;

/** The conversation in its scrolling box. `head` stands before the first message, `tail` after the last. */
export const MessageList = memo(function MessageList({
  rows: chatRows,
  pending,
  hasOlder,
  onLoadOlder,
  head,
  tail,
}: {
  rows: readonly ChatRow[];
  pending: readonly PendingMessage[];
  hasOlder: boolean;
  onLoadOlder: () => Promise<ApiFailure | null>;
  head: ReactNode;
  tail: ReactNode;
}) {
  const box = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { atEnd, toEnd, follow } = useStickToEnd(box, content);
  const newest = pending.at(-1)?.id;
  useLayoutEffect(() => {
    // Whoever has just said something wants to see it.
    if (newest !== undefined) toEnd();
  }, [newest, toEnd]);
  const older = useOlder(hasOlder, onLoadOlder);
  const rows = useMemo(() => toListRows(chatRows, pending, hasOlder), [chatRows, pending, hasOlder]);
  const virtual = useMarkdownReady();

  const render = (row: ListRow): ReactElement => (
    <div key={row.key}>
      {row.kind === "head" ? (
        <div className="pt-4 pb-2">{head}</div>
      ) : row.kind === "older" ? (
        <OlderRow loading={older.loading} failure={older.failure} onLoad={older.load} />
      ) : (
        <ConversationRow row={row} />
      )}
    </div>
  );
  return (
    <div className="relative min-h-0 flex-1">
      <section
        ref={box}
        aria-label="Conversation"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
        // Upside down until the list has come to life: so it stands at its end without a script.
        className={`scroll-area h-full px-3 focus-visible:-outline-offset-2 sm:px-4 ${virtual ? "" : "flex flex-col-reverse"}`}
      >
        <div ref={content} className={`mx-auto w-full max-w-3xl pb-4 ${virtual ? "" : "mb-auto shrink-0"}`}>
          <KeptState>
            {virtual ? (
              <VirtualRows box={box} rows={rows} render={render} onScroll={older.onScroll} onResize={follow} />
            ) : (
              groupAnswers(rows.slice(-FIRST_ROWS).map(render))
            )}
          </KeptState>
          {tail}
        </div>
      </section>
      {!atEnd && (
        <div className="absolute bottom-2 left-1/2 -translate-x-1/2">
          <Button icon="down" onClick={toEnd} className="shadow-raised">
            To the end
          </Button>
        </div>
      )}
    </div>
  );
});

/** Only the rows near the view are in the document. */
function VirtualRows({
  box,
  rows,
  render,
  onScroll,
  onResize,
}: {
  box: RefObject<HTMLElement | null>;
  rows: readonly ListRow[];
  render: (row: ListRow) => ReactElement;
  onScroll: (offset: number) => void;
  onResize: () => void;
}) {
  const before = useRef(rows);
  // Keeps what is in view where it is when older messages come in above it.
  const shift = grewUpwards(before.current, rows);
  useEffect(() => {
    before.current = rows;
  }, [rows]);
  return (
    <Virtualizer
      data={rows}
      scrollRef={box}
      shift={shift}
      keepMounted={alwaysMounted(rows)}
      as={AnswerGroups}
      onScroll={onScroll}
      onResize={onResize}
    >
      {render}
    </Virtualizer>
  );
}

/** The head has a state of its own, and a question that is being answered may hold the focus. */
function alwaysMounted(rows: readonly ListRow[]): number[] {
  const last = rows.findLastIndex((row) => row.kind === "part");
  const row = rows[last];
  const tool = row?.kind === "part" && row.live ? asToolPart(row.part) : null;
  return tool && isUnsettled(tool) ? [0, last] : [0];
}

/** Rows are measured as they will look, so the list begins when text can be formatted; until then a few stand in the flow. */
function useMarkdownReady(): boolean {
  const [ready, setReady] = useState(isMarkdownReady);
  useEffect(() => {
    if (ready) return;
    let here = true;
    void preloadMarkdown().then(() => here && setReady(true));
    return () => {
      here = false;
    };
  }, [ready]);
  return ready;
}

function OlderRow({ loading, failure, onLoad }: { loading: boolean; failure: ApiFailure | null; onLoad: () => void }) {
  return (
    <div className="flex min-h-12 flex-col items-center justify-center gap-1">
      <Button variant="ghost" busy={loading} onClick={onLoad}>
        Earlier messages
      </Button>
      {failure && <p className="text-sm text-danger">{failure.message}</p>}
    </div>
  );
}
