"use client";

import { type ReactNode, useState } from "react";
import { isPaused, type StatusFacts, statusWords } from "@/components/chat/turn-words";
import type { ApiFailure } from "@/components/lib/api-client";
import { useNow } from "@/components/lib/now";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";

/** What the agent is doing at this moment: a line of fixed height above the composer, so that nothing moves it. */
export function TurnStatus({
  onGoOn,
  onTellMe,
  limits = null,
  ...facts
}: StatusFacts & {
  /** Lets a turn that paused at a limit go on. */
  onGoOn: () => Promise<ApiFailure | null>;
  /** Asks the browser whether it may notify; null when that is decided. */
  onTellMe: (() => void) | null;
  /** Stands beside when a limit is what the turn waits at. */
  limits?: ReactNode;
}) {
  const { running } = facts;
  const now = useNow(running?.state === "running" ? 1_000 : null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const words = failure && isPaused(running) ? { text: failure.message, spinning: false } : statusWords(facts, now);
  return (
    <div className="mx-auto flex min-h-8 w-full max-w-3xl items-center gap-2 pointer-coarse:min-h-10">
      <p role="status" className="flex min-w-0 flex-1 items-center gap-2 text-sm text-ink-faint">
        {words?.spinning && <Spinner className="size-3.5" />}
        <span className="min-w-0 break-words tabular-nums">{words?.text}</span>
      </p>
      {onTellMe && running?.state === "running" && (
        <Button variant="ghost" icon="bell" onClick={onTellMe}>
          Tell me when it is done
        </Button>
      )}
      {isPaused(running) && running?.waitingFor !== "stuck" && limits}
      {isPaused(running) && (
        <Button icon="play" onClick={() => void onGoOn().then(setFailure)}>
          Go on
        </Button>
      )}
    </div>
  );
}
