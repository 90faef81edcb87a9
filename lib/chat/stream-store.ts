import { and, asc, desc, eq, gt, gte, lt, ne, sql } from "drizzle-orm";
import type { Queryable } from "@/lib/db/client";
import { notify } from "@/lib/db/listen";
import { chatEvents, chatStreams, chats } from "@/lib/db/schema/chats";
import { invariant } from "@/lib/kernel/errors";
import type { ChatEvent, EventKind, EventSource } from "./contract";

/** An event that is to be stored; `data` lies at top level of what readers get. */
export interface NewEvent {
  readonly kind: EventKind;
  readonly name: string;
  readonly source: EventSource;
  readonly turnId?: string;
  readonly attempt?: number;
  readonly data: Readonly<Record<string, unknown>>;
  /** Worth a mark in the list: an answer, a question, a notice. */
  readonly news?: boolean;
}

/**
 * Appends events and answers the seq of the first. The counter row is locked until the transaction ends, so commit order
 * is seq order and there are no gaps (design.md, section 6).
 */
export async function appendEvents(tx: Queryable, chatId: string, events: readonly NewEvent[]): Promise<number> {
  if (events.length === 0) return lastSeq(tx, chatId);
  const [stream] = await tx
    .update(chatStreams)
    .set({ lastSeq: sql`last_seq + ${events.length}` })
    .where(eq(chatStreams.chatId, chatId))
    .returning({ lastSeq: chatStreams.lastSeq });
  invariant(stream, "every chat has a stream");
  const first = stream.lastSeq - events.length + 1;
  await tx.insert(chatEvents).values(
    events.map((event, index) => ({
      chatId,
      seq: first + index,
      kind: event.kind,
      name: event.name,
      source: event.source,
      turnId: event.turnId ?? null,
      attempt: event.attempt ?? null,
      data: event.data,
      at: sql`clock_timestamp()`,
    })),
  );
  if (events.some((event) => event.news))
    await tx.update(chats).set({ newsSeq: stream.lastSeq }).where(eq(chats.id, chatId));
  await notify(tx, "chat", chatId);
  return first;
}

export async function lastSeq(tx: Queryable, chatId: string): Promise<number> {
  const [stream] = await tx
    .select({ lastSeq: chatStreams.lastSeq })
    .from(chatStreams)
    .where(eq(chatStreams.chatId, chatId));
  return stream?.lastSeq ?? 0;
}

export interface EventPage {
  readonly events: ChatEvent[];
  /** Where the next page begins: the seq of the last row that was looked at. */
  readonly seq: number;
}

/** At most `limit` events after `after`, oldest first; `actionsOnly` leaves deltas out but still moves on over them. */
export async function readEvents(
  tx: Queryable,
  chatId: string,
  after: number,
  limit: number,
  actionsOnly: boolean,
): Promise<EventPage> {
  const rows = await tx
    .select()
    .from(chatEvents)
    .where(
      and(
        eq(chatEvents.chatId, chatId),
        gt(chatEvents.seq, after),
        actionsOnly ? ne(chatEvents.kind, "delta") : undefined,
      ),
    )
    .orderBy(asc(chatEvents.seq))
    .limit(limit);
  const last = rows.at(-1);
  return { events: rows.map(toEvent), seq: last ? last.seq : after };
}

/** Stored deltas of one turn after a seq; what a step that is still running has said so far. */
export async function readDeltas(tx: Queryable, chatId: string, turnId: string, after: number): Promise<ChatEvent[]> {
  const rows = await tx
    .select()
    .from(chatEvents)
    .where(
      and(
        eq(chatEvents.chatId, chatId),
        gt(chatEvents.seq, after),
        eq(chatEvents.turnId, turnId),
        eq(chatEvents.kind, "delta"),
      ),
    )
    .orderBy(asc(chatEvents.seq));
  return rows.map(toEvent);
}

/** Notices from one time (included) to another, oldest first; null leaves an end open. At most the newest 200. */
export async function readNotices(
  tx: Queryable,
  chatId: string,
  from: Date | null,
  to: Date | null,
): Promise<ChatEvent[]> {
  const rows = await tx
    .select()
    .from(chatEvents)
    .where(
      and(
        eq(chatEvents.chatId, chatId),
        eq(chatEvents.kind, "notice"),
        from ? gte(chatEvents.at, from) : undefined,
        to ? lt(chatEvents.at, to) : undefined,
      ),
    )
    .orderBy(desc(chatEvents.seq))
    .limit(200);
  return rows.map(toEvent).reverse();
}

/** What the newest notice of a name in any chat of a session says; null before there is one. */
export async function findSessionNotice(tx: Queryable, sessionId: string, name: string): Promise<ChatEvent | null> {
  const [row] = await tx
    .select({ event: chatEvents })
    .from(chatEvents)
    .innerJoin(chats, eq(chats.id, chatEvents.chatId))
    .where(and(eq(chats.sessionId, sessionId), eq(chatEvents.kind, "notice"), eq(chatEvents.name, name)))
    .orderBy(desc(chatEvents.at))
    .limit(1);
  return row ? toEvent(row.event) : null;
}

function toEvent(row: typeof chatEvents.$inferSelect): ChatEvent {
  return {
    ...row.data,
    seq: row.seq,
    at: row.at.toISOString(),
    ...(row.turnId ? { turnId: row.turnId } : {}),
    ...(row.attempt === null ? {} : { attempt: row.attempt }),
    kind: row.kind,
    source: row.source,
    name: row.name,
  };
}
