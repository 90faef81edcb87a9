"use client";

import { memo, type ReactNode } from "react";
import { AnswerFoot } from "@/components/chat/answer-foot";
import { asToolPart, type ChatPart, textOf } from "@/components/chat/message-types";
import { noticeLook } from "@/components/chat/notice-look";
import { EndedRow, NoticeRow } from "@/components/chat/notice-row";
import type { ListRow } from "@/components/chat/part-rows";
import { ReasoningPart } from "@/components/chat/parts/reasoning";
import { TextPart } from "@/components/chat/parts/text";
import { ToolPart } from "@/components/chat/parts/tool";
import { classes } from "@/components/lib/classes";

/** One row of the conversation with the room around it: it is part of the row, so that the list measures it. */
export function ConversationRow({ row }: { row: Exclude<ListRow, { kind: "head" | "older" }> }): ReactNode {
  switch (row.kind) {
    case "user":
      return <UserRow text={textOf(row.message)} files={row.message.metadata?.files} queued={isQueued(row)} />;
    case "pending":
      return <UserRow text={row.message.text} files={row.message.files} />;
    case "part":
      return <PartRow id={row.key} part={row.part} live={row.live} />;
    case "foot":
      return <AnswerFoot message={row.message} turn={row.turn} />;
    case "notice":
      return (
        <div className="py-2">
          <NoticeRow {...noticeLook(row.notice, row.asks)} />
        </div>
      );
    case "ended":
      return (
        <div className="py-2">
          <EndedRow turn={row.turn} />
        </div>
      );
  }
}

function isQueued({ message }: { message: { metadata?: { status?: string } | undefined } }): boolean {
  return message.metadata?.status === "queued";
}

/** The fold keeps the identity of every part that did not change, so a long answer renders its last part only. */
const PartRow = memo(function PartRow({ id, part, live }: { id: string; part: ChatPart; live: boolean }) {
  const tool = asToolPart(part);
  return <div className={tool ? "py-1" : "py-1.5"}>{tool ? <ToolPart part={tool} live={live} /> : prose()}</div>;

  function prose(): ReactNode {
    if (part.type !== "text" && part.type !== "reasoning") return null;
    const writing = live && part.state === "streaming";
    if (part.type === "text") return <TextPart text={part.text} live={writing} />;
    return <ReasoningPart id={id} text={part.text} live={writing} />;
  }
});

/** What the person said, as plain text. */
const UserRow = memo(function UserRow({
  text,
  files,
  queued = false,
}: {
  text: string;
  files?: readonly string[] | undefined;
  queued?: boolean;
}) {
  return (
    <article aria-label="You" className="flex flex-col items-end gap-1 pt-4 pb-2">
      <div
        dir="auto"
        className={classes(
          "max-w-[85%] rounded-lg bg-accent-soft px-3.5 py-2 break-words whitespace-pre-wrap",
          queued && "opacity-75",
        )}
      >
        {text}
        {files && files.length > 0 && <p className="mt-1 font-mono text-xs text-ink-soft">{files.join(", ")}</p>}
      </div>
      {queued && <span className="text-xs text-ink-faint">Queued</span>}
    </article>
  );
});
