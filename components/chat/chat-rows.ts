import { answerId, type ChatFold, type Notice, type PendingMessage } from "@/components/chat/fold-events";
import type { ChatMessage, TurnView } from "@/lib/chat/contract";

export type ChatRow =
  | { readonly kind: "message"; readonly key: string; readonly message: ChatMessage; readonly live: boolean }
  | { readonly kind: "notice"; readonly key: string; readonly notice: Notice }
  /** How a turn ended that did not end well. */
  | { readonly kind: "ended"; readonly key: string; readonly turn: TurnView };

export interface ChatRows {
  /** What stands in the list, oldest first. */
  readonly rows: readonly ChatRow[];
  /** Messages that wait for the next turn while one runs: they stand above the composer. */
  readonly queue: readonly ChatMessage[];
  /** Messages on their way to the server, split like the others: those that will wait, and those for the list. */
  readonly pendingQueue: readonly PendingMessage[];
  readonly pendingRows: readonly PendingMessage[];
  readonly runningTurn: TurnView | null;
  readonly queuedTurn: TurnView | null;
}

/**
 * Sorts a chat into what its places show. A queued message stands in the list until another turn runs: then it waits
 * above the composer, and comes into the list when it is delivered.
 */
export function toChatRows(state: ChatFold): ChatRows {
  const runningTurn = state.turns.find((turn) => turn.state !== "queued") ?? null;
  const queuedTurn = state.turns.find((turn) => turn.state === "queued") ?? null;
  const waits = (message: ChatMessage) =>
    message.metadata?.status === "queued" && runningTurn !== null && message.metadata.turnId !== runningTurn.id;
  const liveId = runningTurn ? answerId(runningTurn.id) : null;

  // A turn that waits for the person takes the next message as its answer; one that runs lets it wait.
  const pending =
    runningTurn?.state === "running"
      ? { pendingQueue: state.pending, pendingRows: [] }
      : { pendingQueue: [], pendingRows: state.pending };

  const shown = state.messages.filter((message) => !waits(message));
  const notices = placeNotices(shown, noticesInForce(state.notices, runningTurn));
  const failedInWords = new Set(
    state.notices.flatMap((notice) => (notice.name === "turn_failed" ? notice.turnId : [])),
  );
  const noticeRows = (index: number): ChatRow[] =>
    (notices.get(index) ?? []).map((notice) => ({ kind: "notice", key: `notice-${notice.seq}`, notice }));

  const rows = noticeRows(-1);
  shown.forEach((message, index) => {
    rows.push({ kind: "message", key: message.id, message, live: message.id === liveId });
    rows.push(...noticeRows(index));
    const turn = endedBadly(message);
    if (turn && !failedInWords.has(turn.id)) rows.push({ kind: "ended", key: `ended-${turn.id}`, turn });
  });
  return { rows, queue: state.messages.filter(waits), ...pending, runningTurn, queuedTurn };
}

/** That something is tried again is worth saying only until it has worked or failed, and only its newest try. */
function noticesInForce(notices: readonly Notice[], running: TurnView | null): readonly Notice[] {
  const newest = notices.at(-1);
  return notices.filter((notice) => notice.name !== "retrying" || (notice === newest && notice.turnId === running?.id));
}

/**
 * Finds for each notice the message that it stands after, by index; -1 is before all. One of a turn stands after the
 * last message of that turn, any other after the last message that was there when it came. So a page load and the
 * stream put it into the same place.
 */
function placeNotices(messages: readonly ChatMessage[], notices: readonly Notice[]): Map<number, Notice[]> {
  const lastOfTurn = new Map<string, number>();
  messages.forEach((message, index) => {
    if (message.metadata?.turnId) lastOfTurn.set(message.metadata.turnId, index);
  });
  const wasThere = (at: string) => (message: ChatMessage) => {
    const { createdAt, status } = message.metadata ?? {};
    return status !== "queued" && createdAt !== undefined && Date.parse(createdAt) <= Date.parse(at);
  };
  return Map.groupBy(
    notices,
    (notice) => lastOfTurn.get(notice.turnId ?? "") ?? messages.findLastIndex(wasThere(notice.at)),
  );
}

function endedBadly(message: ChatMessage): TurnView | null {
  const turn = message.role === "assistant" ? message.metadata?.turn : undefined;
  return turn && ["failed", "stopped", "interrupted"].includes(turn.state) ? turn : null;
}
