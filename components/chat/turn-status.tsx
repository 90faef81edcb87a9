import type { ConnectionState } from "@/components/chat/chat-connection";
import { EndedRow } from "@/components/chat/notice-row";
import { Spinner } from "@/components/ui/spinner";
import type { TurnView } from "@/lib/chat/contract";

/**
 * What the agent is doing at this moment, in one line of fixed height. `ended` is a turn that ended before it had an
 * answer to stand after.
 */
export function TurnStatus({
  running,
  queued,
  ended,
  empty,
  stuck,
  connection,
}: {
  running: TurnView | null;
  queued: TurnView | null;
  ended: TurnView | null;
  empty: boolean;
  /** The sandbox has failed: what is queued waits for the person, not for it. */
  stuck: boolean;
  connection: ConnectionState;
}) {
  const words = statusWords(running, queued, empty, stuck, connection);
  return (
    <>
      {ended && !running && !queued && <EndedRow turn={ended} />}
      <p role="status" className="flex min-h-6 items-center gap-2 text-sm text-ink-faint">
        {words?.spinning && <Spinner className="size-3.5" />}
        <span className="min-w-0 break-words">{words?.text}</span>
      </p>
    </>
  );
}

function statusWords(
  running: TurnView | null,
  queued: TurnView | null,
  empty: boolean,
  stuck: boolean,
  connection: ConnectionState,
): { text: string; spinning: boolean } | null {
  if (connection === "gone") return { text: "This chat does not exist any more.", spinning: false };
  if (connection === "retrying") return { text: "The connection was lost. Trying again…", spinning: true };
  if (running?.state === "waiting_for_user")
    return { text: running.reason ?? "Waits for your answer.", spinning: false };
  if (running) return { text: "Working…", spinning: true };
  if (queued) return { text: queued.reason ?? "Queued…", spinning: !stuck };
  return empty ? { text: "Nothing has been said yet.", spinning: false } : null;
}
