import type { ChatRow } from "@/components/chat/chat-rows";
import type { Notice, PendingMessage } from "@/components/chat/fold-events";
import type { ChatPart } from "@/components/chat/message-types";
import type { ChatMessage, TurnView } from "@/lib/chat/contract";

/**
 * One row of the virtual list. An answer is one row for each of its parts: a long turn is a single message, and as one
 * row it would put a thousand tool calls into the document (ai-and-ui-facts, section 5).
 */
export type ListRow =
  | { readonly kind: "head"; readonly key: string }
  | { readonly kind: "older"; readonly key: string }
  | { readonly kind: "user"; readonly key: string; readonly message: ChatMessage }
  | { readonly kind: "part"; readonly key: string; readonly part: ChatPart; readonly live: boolean }
  /** Stands under an answer that is complete: how long it took, and what can be done with it. */
  | { readonly kind: "foot"; readonly key: string; readonly message: ChatMessage; readonly turn: TurnView }
  | { readonly kind: "notice"; readonly key: string; readonly notice: Notice; readonly asks: boolean }
  | { readonly kind: "ended"; readonly key: string; readonly turn: TurnView }
  | { readonly kind: "pending"; readonly key: string; readonly message: PendingMessage };

const SEPARATOR = "#";

/** The answer that a row belongs to, by its key; null for a row that stands alone. */
export function answerOfRow(key: string): string | null {
  const at = key.lastIndexOf(SEPARATOR);
  return at < 0 ? null : key.slice(0, at);
}

interface Cached {
  readonly live: boolean;
  readonly rows: readonly ListRow[];
}
/** Messages never change, they are replaced: what was made of one stays right. */
const cache = new WeakMap<ChatMessage, Cached>();

/** Lays a chat out as the rows of the list. Costs the number of rows, and makes new ones only of messages that changed. */
export function toListRows(
  chatRows: readonly ChatRow[],
  pending: readonly PendingMessage[],
  hasOlder: boolean,
): ListRow[] {
  const rows: ListRow[] = [{ kind: "head", key: "head" }];
  if (hasOlder) rows.push({ kind: "older", key: "older" });
  for (const row of chatRows) {
    if (row.kind !== "message") rows.push(row);
    else for (const made of messageRows(row.message, row.live)) rows.push(made);
  }
  for (const message of pending) rows.push({ kind: "pending", key: message.id, message });
  return rows;
}

function messageRows(message: ChatMessage, live: boolean): readonly ListRow[] {
  const known = cache.get(message);
  if (known?.live === live) return known.rows;
  const rows: readonly ListRow[] =
    message.role === "user" ? [{ kind: "user", key: message.id, message }] : answerRows(message, live);
  cache.set(message, { live, rows });
  return rows;
}

function answerRows(message: ChatMessage, live: boolean): ListRow[] {
  const rows: ListRow[] = [];
  message.parts.forEach((part, index) => {
    if (isShown(part)) rows.push({ kind: "part", key: `${message.id}${SEPARATOR}${index}`, part, live });
  });
  const turn = message.metadata?.turn;
  if (!live && turn?.endedAt && turn.startedAt && rows.length > 0) {
    rows.push({ kind: "foot", key: `${message.id}${SEPARATOR}foot`, message, turn });
  }
  return rows;
}

function isShown(part: ChatPart): boolean {
  if (part.type === "text" || part.type === "reasoning") return part.text.trim() !== "";
  return part.type.startsWith("tool-");
}

/** Whether the first rows of `after` were put before those of `before`, which is when the view must keep its place. */
export function grewUpwards(before: readonly ListRow[], after: readonly ListRow[]): boolean {
  const first = firstOfChat(before);
  const now = firstOfChat(after);
  return first !== undefined && now !== undefined && first !== now && after.some((row) => row.key === first);
}

function firstOfChat(rows: readonly ListRow[]): string | undefined {
  return rows.find((row) => row.kind !== "head" && row.kind !== "older")?.key;
}

/** The newest list of the agent, while something in it is open: it stands above the composer. */
export function openTodoInput(rows: readonly ChatRow[]): unknown {
  for (let at = rows.length - 1; at >= 0; at--) {
    const row = rows[at];
    if (row?.kind !== "message" || row.message.role === "user") continue;
    const part = row.message.parts.findLast(
      (entry) => entry.type === "tool-todo" && "state" in entry && entry.state === "output-available",
    );
    if (part && "input" in part) return part.input;
  }
  return null;
}
