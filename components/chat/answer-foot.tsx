"use client";

import { memo, useEffect, useState } from "react";
import { textOf } from "@/components/chat/message-types";
import { turnDurationMs } from "@/components/chat/turn-words";
import { formatDuration } from "@/components/lib/format";
import { Button } from "@/components/ui/button";
import type { ChatMessage, TurnView } from "@/lib/chat/contract";

const COPIED_MS = 2_000;

/** Under an answer: how long it took, and a way to take its text along. */
export const AnswerFoot = memo(function AnswerFoot({ message, turn }: { message: ChatMessage; turn: TurnView }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const took = turnDurationMs(turn, 0);
  const text = textOf(message).trim();
  return (
    <div className="-ml-1.5 flex min-h-8 items-center gap-1 text-xs text-ink-faint pointer-coarse:min-h-10">
      {took !== null && took >= 1_000 && <span className="pl-1.5">Took {formatDuration(took)}</span>}
      {text !== "" && (
        <Button
          variant="ghost"
          icon={copied ? "check" : "copy"}
          iconOnly
          title="Copy the answer"
          className="text-ink-faint"
          onClick={() => void navigator.clipboard?.writeText(text).then(() => setCopied(true))}
        >
          {copied ? "Copied" : "Copy the answer"}
        </Button>
      )}
    </div>
  );
});
