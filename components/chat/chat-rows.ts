import { answerId, type ChatFold, type Notice, type PendingMessage } from "@/components/chat/fold-events";
import { asToolPart, type ChatPart } from "@/components/chat/message-types";
import { isPauseNotice } from "@/components/chat/notice-look";
import { isPaused } from "@/components/chat/turn-words";
import type { ChatMessage, TurnView } from "@/lib/chat/contract";

export type ChatRow =
  | { readonly kind: "message"; readonly key: string; readonly message: ChatMessage; readonly live: boolean }
  | { readonly kind: "notice"; readonly key: string; readonly notice: Notice; readonly asks: boolean }
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

  const told = isToldInCard(state.messages);
  const shown = state.messages.filter((message) => !waits(message) && !told(message));
  const notices = placeNotices(shown, noticesInForce(state.notices, runningTurn));
  const failedInWords = new Set(
    state.notices.flatMap((notice) => (notice.name === "turn_failed" ? notice.turnId : [])),
  );
  const asking = isPaused(runningTurn)
    ? state.notices.findLast((notice) => isPauseNotice(notice) && notice.turnId === runningTurn?.id)
    : null;
  const noticeRows = (index: number): ChatRow[] =>
    (notices.get(index) ?? []).map((notice) => {
      return { kind: "notice", key: `notice-${notice.seq}`, notice, asks: notice === asking };
    });

  const rows = noticeRows(-1);
  shown.forEach((message, index) => {
    rows.push({ kind: "message", key: message.id, message, live: message.id === liveId });
    rows.push(...noticeRows(index));
    const turn = endedBadly(message);
    if (turn && !failedInWords.has(turn.id)) rows.push({ kind: "ended", key: `ended-${turn.id}`, turn });
  });
  return { rows, queue: state.messages.filter(waits), ...pending, runningTurn, queuedTurn };
}

/** Whether the card of a question shows this message as its answer already. Files are not shown there. */
function isToldInCard(messages: readonly ChatMessage[]): (message: ChatMessage) => boolean {
  return ({ metadata }) => {
    const question = metadata?.files ? undefined : metadata?.answers;
    if (question === undefined || !metadata?.turnId) return false;
    const asking = messages.find((message) => message.id === answerId(metadata.turnId ?? ""));
    return asking?.parts.some((part) => isAnsweredCall(part, question)) ?? false;
  };
}

function isAnsweredCall(part: ChatPart, toolCallId: string): boolean {
  const call = asToolPart(part);
  return call?.toolCallId === toolCallId && call.state === "output-available";
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
