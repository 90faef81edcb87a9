import { and, asc, desc, eq, isNull, lt, ne, sql } from "drizzle-orm";
import type { Queryable } from "@/lib/db/client";
import { notify } from "@/lib/db/listen";
import { chatCondensings, chatStreams, chats, messages } from "@/lib/db/schema/chats";
import { sessions } from "@/lib/db/schema/sessions";
import { invariant } from "@/lib/kernel/errors";

export type ChatRow = typeof chats.$inferSelect;
export type MessageRow = typeof messages.$inferSelect;
export type NewMessage = Omit<typeof messages.$inferInsert, "position">;

export async function insertChat(tx: Queryable, row: typeof chats.$inferInsert): Promise<ChatRow> {
  const [made] = await tx.insert(chats).values(row).returning();
  invariant(made, "an insert returns its row");
  await tx.insert(chatStreams).values({ chatId: made.id });
  return made;
}

export async function findChat(tx: Queryable, id: string): Promise<ChatRow | null> {
  const [row] = await tx.select().from(chats).where(eq(chats.id, id));
  return row ?? null;
}

export interface OwnedChat {
  readonly chat: ChatRow;
  readonly session: {
    readonly id: string;
    readonly sandboxId: string;
    readonly status: "running" | "archived";
    readonly userId: string;
  };
}

/** A chat of a session that is the user's and not deleted, or null: not yours and not there are the same. */
export async function findOwnedChat(tx: Queryable, userId: string, chatId: string): Promise<OwnedChat | null> {
  const [row] = await tx
    .select({
      chat: chats,
      session: { id: sessions.id, sandboxId: sessions.sandboxId, status: sessions.status, userId: sessions.userId },
    })
    .from(chats)
    .innerJoin(sessions, eq(sessions.id, chats.sessionId))
    .where(and(eq(chats.id, chatId), eq(sessions.userId, userId), isNull(sessions.deletedAt)));
  return row ?? null;
}

/** The text of the first message of a person; null before there is one. */
export async function findFirstPrompt(tx: Queryable, chatId: string): Promise<string | null> {
  const [row] = await tx
    .select({ parts: messages.parts })
    .from(messages)
    .where(and(eq(messages.chatId, chatId), eq(messages.role, "user"), ne(messages.status, "removed")))
    .orderBy(asc(messages.position))
    .limit(1);
  return row ? row.parts.map((part) => (part.type === "text" ? part.text : "")).join("") : null;
}

/**
 * Gives a chat the title that a model made, and its session too if that still has the same plain one. False when it was named
 * by somebody meanwhile.
 */
export async function nameChat(
  tx: Queryable,
  chat: Pick<ChatRow, "id" | "sessionId" | "title">,
  title: string,
): Promise<boolean> {
  const named = await tx
    .update(chats)
    .set({ title, titleSource: "model" })
    .where(and(eq(chats.id, chat.id), eq(chats.titleSource, "auto")))
    .returning({ id: chats.id });
  if (named.length === 0) return false;
  await tx
    .update(sessions)
    .set({ title, titleSource: "model", updatedAt: sql`clock_timestamp()` })
    .where(and(eq(sessions.id, chat.sessionId), eq(sessions.titleSource, "auto"), eq(sessions.title, chat.title)));
  return true;
}

/** Whose chat it is; null when it is gone. Only for what no person asked for. */
export async function findChatOwner(tx: Queryable, chatId: string): Promise<string | null> {
  const [row] = await tx
    .select({ userId: sessions.userId })
    .from(chats)
    .innerJoin(sessions, eq(sessions.id, chats.sessionId))
    .where(eq(chats.id, chatId));
  return row?.userId ?? null;
}

export interface SessionLimits {
  readonly sessionMaxSteps: number | null;
  readonly sessionMaxCostUsd: number | null;
}

/** Limits over all turns of a session; null is no limit. */
export async function findSessionLimits(tx: Queryable, sessionId: string): Promise<SessionLimits> {
  const [row] = await tx
    .select({ sessionMaxSteps: sessions.sessionMaxSteps, sessionMaxCostUsd: sessions.sessionMaxCostUsd })
    .from(sessions)
    .where(eq(sessions.id, sessionId));
  return row ?? { sessionMaxSteps: null, sessionMaxCostUsd: null };
}

export async function patchSessionLimits(
  tx: Queryable,
  sessionId: string,
  patch: Partial<SessionLimits>,
): Promise<void> {
  await tx.update(sessions).set(patch).where(eq(sessions.id, sessionId));
}

export type CondensingRow = typeof chatCondensings.$inferSelect;

/** What the chat's model is shown; null while the conversation has never been condensed. */
export async function findCondensing(tx: Queryable, chatId: string): Promise<CondensingRow | null> {
  const [row] = await tx
    .select()
    .from(chatCondensings)
    .where(eq(chatCondensings.chatId, chatId))
    .orderBy(desc(chatCondensings.id))
    .limit(1);
  return row ?? null;
}

export async function insertCondensing(
  tx: Queryable,
  row: Omit<typeof chatCondensings.$inferInsert, "id">,
): Promise<void> {
  await tx.insert(chatCondensings).values({
    ...row,
    id: sql`(SELECT coalesce(max(id), 0) + 1 FROM chat_condensings WHERE chat_id = ${row.chatId})`,
  });
}

/** Moves a session up in the list: something happened in it that a person cares for. */
export async function touchSession(tx: Queryable, sessionId: string): Promise<void> {
  await tx
    .update(sessions)
    .set({ lastActivityAt: sql`clock_timestamp()`, updatedAt: sql`clock_timestamp()` })
    .where(eq(sessions.id, sessionId));
}

export async function listChats(tx: Queryable, sessionId: string): Promise<ChatRow[]> {
  return tx.select().from(chats).where(eq(chats.sessionId, sessionId)).orderBy(asc(chats.createdAt), asc(chats.id));
}

export async function patchChat(tx: Queryable, id: string, patch: Partial<typeof chats.$inferInsert>): Promise<void> {
  await tx.update(chats).set(patch).where(eq(chats.id, id));
}

export async function deleteChat(tx: Queryable, id: string): Promise<void> {
  await tx.delete(chats).where(eq(chats.id, id));
  await notify(tx, "chat", id);
}

export async function markRead(tx: Queryable, id: string): Promise<void> {
  await tx.execute(sql`
    UPDATE ${chats} SET read_seq = greatest(read_seq, (SELECT last_seq FROM ${chatStreams} WHERE chat_id = ${id})) WHERE id = ${id}`);
}

/** Appends a message at the end of its chat. The chat's stream row must be locked or about to be (appendEvents does). */
export async function insertMessage(tx: Queryable, row: NewMessage): Promise<MessageRow> {
  await tx.execute(sql`SELECT 1 FROM ${chatStreams} WHERE chat_id = ${row.chatId} FOR UPDATE`);
  const [made] = await tx
    .insert(messages)
    .values({
      ...row,
      position: sql`(SELECT coalesce(max(position), 0) + 1 FROM messages WHERE chat_id = ${row.chatId})`,
    })
    .returning();
  invariant(made, "an insert returns its row");
  return made;
}

export async function findMessage(tx: Queryable, chatId: string, id: string): Promise<MessageRow | null> {
  const [row] = await tx
    .select()
    .from(messages)
    .where(and(eq(messages.chatId, chatId), eq(messages.id, id)));
  return row ?? null;
}

export async function patchMessage(
  tx: Queryable,
  chatId: string,
  id: string,
  patch: Partial<Pick<MessageRow, "parts" | "status" | "metadata" | "turnId">>,
): Promise<void> {
  await tx
    .update(messages)
    .set(patch)
    .where(and(eq(messages.chatId, chatId), eq(messages.id, id)));
}

/** Messages that are not removed, newest first, older than `beforePosition` if given. */
export async function listMessagesBack(
  tx: Queryable,
  chatId: string,
  limit: number,
  beforePosition: number | null,
): Promise<MessageRow[]> {
  return tx
    .select()
    .from(messages)
    .where(
      and(
        eq(messages.chatId, chatId),
        ne(messages.status, "removed"),
        beforePosition === null ? undefined : lt(messages.position, beforePosition),
      ),
    )
    .orderBy(desc(messages.position))
    .limit(limit);
}

export async function listDeliveredMessages(tx: Queryable, chatId: string): Promise<MessageRow[]> {
  return tx
    .select()
    .from(messages)
    .where(and(eq(messages.chatId, chatId), eq(messages.status, "delivered")))
    .orderBy(asc(messages.position));
}

export async function listTurnMessages(
  tx: Queryable,
  turnId: string,
  status: MessageRow["status"],
): Promise<MessageRow[]> {
  return tx
    .select()
    .from(messages)
    .where(and(eq(messages.turnId, turnId), eq(messages.status, status), eq(messages.role, "user")))
    .orderBy(asc(messages.position));
}
