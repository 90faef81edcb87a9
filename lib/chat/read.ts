import type { Tx } from "@/lib/db/client";
import type { Deps } from "@/lib/deps";
import { type AppError, appError } from "@/lib/kernel/errors";
import { err, ok, type Result } from "@/lib/kernel/result";
import { NO_CHAT } from "./access";
import type { ChatMessage, MessageListView } from "./contract";
import { foldDeltas } from "./fold";
import { assembleMessages, assistantMessageId } from "./history";
import { findOwnedChat, listMessagesBack } from "./store";
import { lastSeq, readDeltas, readNotices } from "./stream-store";
import { findTurns, listSteps, listToolCalls, listUnfinished, toTurnView } from "./turn-store";

/** Runs a read that must see one moment of several tables. */
export function readSnapshot<T>(deps: Deps, body: (tx: Tx) => Promise<T>): Promise<T> {
  return deps.db.transaction(body, { isolationLevel: "repeatable read", accessMode: "read only" });
}

/**
 * The newest messages before `before`, oldest first, as they were at `eventSeq`; what a running step has said so far is in
 * them (api.md). Pass `eventSeq` as `after` to the stream: nothing is missed and nothing comes twice.
 */
export async function listMessages(
  deps: Deps,
  userId: string,
  chatId: string,
  query: { before?: string | undefined; limit: number },
): Promise<Result<MessageListView, AppError>> {
  const before = query.before === undefined ? null : decodeCursor(query.before);
  if (Number.isNaN(before))
    return err(appError("malformed", "The cursor cannot be read.", { details: { field: "before" } }));
  return readSnapshot(deps, async (tx) => {
    const owned = await findOwnedChat(tx, userId, chatId);
    if (!owned) return err(NO_CHAT);
    const eventSeq = await lastSeq(tx, chatId);
    const rows = await listMessagesBack(tx, chatId, query.limit + 1, before);
    const more = rows.length > query.limit;
    const page = rows.slice(0, query.limit).reverse();
    const oldest = page[0];
    const messages = await withTurns(tx, await loadMessages(tx, page));
    if (before === null) await addRunningStep(tx, chatId, messages);
    const notices = await readNotices(
      tx,
      chatId,
      more && oldest ? oldest.createdAt : null,
      await timeOf(tx, chatId, before),
    );
    return ok({ messages, notices, cursor: more && oldest ? encodeCursor(oldest.position) : null, eventSeq });
  });
}

async function timeOf(tx: Tx, chatId: string, position: number | null): Promise<Date | null> {
  if (position === null) return null;
  const [row] = await listMessagesBack(tx, chatId, 1, position + 1);
  return row?.createdAt ?? null;
}

/** Tells of each answer how its turn stands. */
async function withTurns(tx: Tx, messages: ChatMessage[]): Promise<ChatMessage[]> {
  const ids = messages.flatMap((message) => (message.role === "assistant" ? [message.metadata?.turnId ?? ""] : []));
  const turns = new Map((await findTurns(tx, ids)).map((turn) => [turn.id, toTurnView(turn)]));
  return messages.map((message) => {
    const turn = message.role === "assistant" ? turns.get(message.metadata?.turnId ?? "") : undefined;
    return turn ? { ...message, metadata: { ...message.metadata, turn } } : message;
  });
}

/** Fills rows with the steps and tool calls of their turns, as `assembleMessages` says. */
export async function loadMessages(
  tx: Tx,
  rows: readonly Parameters<typeof assembleMessages>[0][number][],
  forModel?: string,
): Promise<ChatMessage[]> {
  const turnIds = rows.filter((row) => row.role === "assistant").map((row) => row.turnId);
  return assembleMessages(rows, await listSteps(tx, turnIds), await listToolCalls(tx, turnIds), forModel);
}

/** Adds the parts of the step that is being made right now, from its stored deltas. */
async function addRunningStep(tx: Tx, chatId: string, messages: ChatMessage[]): Promise<void> {
  const running = (await listUnfinished(tx, chatId)).find((turn) => turn.state === "running");
  if (!running) return;
  const steps = await listSteps(tx, [running.id]);
  const deltas = await readDeltas(tx, chatId, running.id, steps.at(-1)?.seq ?? 0);
  const message = messages.find((candidate) => candidate.id === assistantMessageId(running.id));
  if (message) message.parts = [...message.parts, ...foldDeltas(deltas).current()];
}

function encodeCursor(position: number): string {
  return Buffer.from(`m${position}`).toString("base64url");
}

function decodeCursor(cursor: string): number {
  const match = /^m(\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString());
  return match ? Number(match[1]) : Number.NaN;
}
