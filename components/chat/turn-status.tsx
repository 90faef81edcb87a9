"use client";

import { EndedRow } from "@/components/chat/notice-row";
import { isPaused, type StatusFacts, statusWords } from "@/components/chat/turn-words";
import { useNow } from "@/components/lib/now";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import type { TurnView } from "@/lib/chat/contract";

/**
 * What the agent is doing at this moment, in one line of fixed height. `ended` is a turn that ended before it had an
 * answer to stand after.
 */
export function TurnStatus({
  ended,
  onGoOn,
  onTellMe,
  ...facts
}: StatusFacts & {
  ended: TurnView | null;
  /** Lets a turn that paused at a limit go on. */
  onGoOn: () => void;
  /** Asks the browser whether it may notify; null when that is decided. */
  onTellMe: (() => void) | null;
}) {
  const { running, queued } = facts;
  const now = useNow(running?.state === "running" ? 1_000 : null);
  const words = statusWords(facts, now);
  return (
    <>
      {ended && !running && !queued && <EndedRow turn={ended} />}
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">
        <p role="status" className="flex min-w-0 items-center gap-2 text-sm text-ink-faint">
          {words?.spinning && <Spinner className="size-3.5" />}
          <span className="min-w-0 break-words tabular-nums">{words?.text}</span>
        </p>
        {onTellMe && running?.state === "running" && (
          <Button variant="ghost" icon="bell" onClick={onTellMe}>
            Tell me when it is done
          </Button>
        )}
        {isPaused(running) && (
          <Button icon="play" onClick={onGoOn}>
            Go on
          </Button>
        )}
      </div>
    </>
  );
}
