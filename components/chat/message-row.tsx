"use client";

import { memo } from "react";
import { asToolPart, type ChatPart, textOf } from "@/components/chat/message-types";
import { ReasoningPart } from "@/components/chat/parts/reasoning";
import { TextPart } from "@/components/chat/parts/text";
import { ToolPart } from "@/components/chat/parts/tool";
import { classes } from "@/components/lib/classes";
import type { ChatMessage } from "@/lib/chat/contract";

/** One message. `live`: its turn is not finished, so what is open in it is still being written. */
export const MessageRow = memo(function MessageRow({ message, live }: { message: ChatMessage; live: boolean }) {
  if (message.role === "user") {
    return (
      <UserBubble
        text={textOf(message)}
        files={message.metadata?.files}
        queued={message.metadata?.status === "queued"}
      />
    );
  }
  return (
    <article aria-label="Dormouse" className="flex flex-col gap-2.5">
      {message.parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are only added at the end or cut off there
        <MessagePart key={index} part={part} live={live} />
      ))}
    </article>
  );
});

/** The fold keeps the identity of every part that did not change, so a long answer renders its last part only. */
const MessagePart = memo(function MessagePart({ part, live }: { part: ChatPart; live: boolean }) {
  if (part.type === "text") return <TextPart text={part.text} live={live && part.state === "streaming"} />;
  if (part.type === "reasoning") return <ReasoningPart text={part.text} live={live && part.state === "streaming"} />;
  const tool = asToolPart(part);
  return tool ? <ToolPart part={tool} live={live} /> : null;
});

/** What the person said, as plain text. */
export function UserBubble({
  text,
  files,
  queued = false,
}: {
  text: string;
  files?: readonly string[] | undefined;
  queued?: boolean;
}) {
  return (
    <article aria-label="You" className="flex flex-col items-end gap-1">
      <div
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
}
