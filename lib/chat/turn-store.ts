import { and, asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "@/lib/db/client";
import { notify } from "@/lib/db/listen";
import { toolCalls, turnSteps, turns } from "@/lib/db/schema/chats";
import { invariant } from "@/lib/kernel/errors";
import type { TurnView } from "./contract";
import { appendEvents } from "./stream-store";
import { nextTurnState, type TurnEvent } from "./turn";

export type TurnRow = typeof turns.$inferSelect;
export type StepRow = typeof turnSteps.$inferSelect;
export type ToolCallRow = typeof toolCalls.$inferSelect;

export const UNFINISHED = ["queued", "running", "waiting_for_user"] as const;

type TurnFacts = Pick<TurnRow, "id" | "state" | "reason" | "startedAt" | "endedAt" | "waiting">;

export function toTurnView({ id, state, reason, startedAt, endedAt, waiting }: TurnFacts): TurnView {
  return {
    id,
    state,
    reason,
    startedAt: startedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
    waitingFor: state === "waiting_for_user" ? (waiting?.kind ?? null) : null,
  };
}

export async function insertTurn(tx: Queryable, row: typeof turns.$inferInsert): Promise<TurnRow> {
  const [made] = await tx.insert(turns).values(row).returning();
  invariant(made, "an insert returns its row");
  await notify(tx, "turn", made.id);
  return made;
}

export async function findTurn(tx: Queryable, id: string): Promise<TurnRow | null> {
  const [row] = await tx.select().from(turns).where(eq(turns.id, id));
  return row ?? null;
}

export async function findTurns(tx: Queryable, ids: readonly string[]): Promise<TurnRow[]> {
  return ids.length === 0
    ? []
    : tx
        .select()
        .from(turns)
        .where(inArray(turns.id, [...ids]));
}

export async function lockTurn(tx: Queryable, id: string): Promise<TurnRow | null> {
  const [row] = await tx.select().from(turns).where(eq(turns.id, id)).for("update");
  return row ?? null;
}

/** Unfinished turns of a chat, oldest first: what runs or waits, then what is queued. */
export async function listUnfinished(tx: Queryable, chatId: string): Promise<TurnRow[]> {
  return tx
    .select()
    .from(turns)
    .where(and(eq(turns.chatId, chatId), inArray(turns.state, [...UNFINISHED])))
    .orderBy(asc(turns.createdAt), asc(turns.id));
}

export async function listUnfinishedOfSandbox(tx: Queryable, sandboxId: string): Promise<TurnRow[]> {
  return tx
    .select()
    .from(turns)
    .where(and(eq(turns.sandboxId, sandboxId), inArray(turns.state, [...UNFINISHED])))
    .orderBy(asc(turns.createdAt), asc(turns.id));
}

/** The newest turn of a chat, finished or not. */
export async function findNewestTurn(tx: Queryable, chatId: string): Promise<TurnRow | null> {
  const [row] = await tx
    .select()
    .from(turns)
    .where(eq(turns.chatId, chatId))
    .orderBy(sql`created_at DESC, id DESC`)
    .limit(1);
  return row ?? null;
}

type TurnColumns = Pick<
  TurnRow,
  | "reason"
  | "waiting"
  | "stopRequested"
  | "failures"
  | "retryAt"
  | "stepAllowance"
  | "costAllowanceUsd"
  | "costUsd"
  | "lost"
  | "stuck"
>;
export type TurnPatch = { [Column in keyof TurnColumns]?: TurnColumns[Column] | SQL };

/**
 * The only writer of a turn's state: one compare-and-set, one `state` event in the chat, one hint. Null: the race was lost.
 * @throws when the event cannot happen in this state
 */
export async function moveTurn(
  tx: Queryable,
  row: Pick<TurnRow, "id" | "chatId" | "state" | "version" | "sandboxId">,
  event: TurnEvent,
  patch: TurnPatch = {},
): Promise<TurnRow | null> {
  const to = nextTurnState(row.state, event);
  invariant(to, `a turn that is ${row.state} cannot ${event}`);
  const ends = to !== "running" && to !== "waiting_for_user";
  const [moved] = await tx
    .update(turns)
    .set({
      reason: null,
      ...patch,
      state: to,
      version: row.version + 1,
      ...(event === "begin" ? { startedAt: sql`coalesce(started_at, clock_timestamp())` } : {}),
      ...(ends ? { endedAt: sql`clock_timestamp()`, waiting: null } : {}),
    })
    .where(and(eq(turns.id, row.id), eq(turns.version, row.version)))
    .returning();
  if (!moved) return null;
  await appendEvents(tx, row.chatId, [
    {
      kind: "state",
      name: "turn",
      source: "system",
      turnId: row.id,
      data: { turn: toTurnView(moved) },
      news: ends || to === "waiting_for_user",
    },
  ]);
  await notify(tx, "turn", row.id);
  await notify(tx, "sandbox", row.sandboxId);
  return moved;
}

export async function patchTurn(tx: Queryable, id: string, patch: TurnPatch): Promise<void> {
  await tx.update(turns).set(patch).where(eq(turns.id, id));
  await notify(tx, "turn", id);
}

export async function listSteps(tx: Queryable, turnIds: readonly string[]): Promise<StepRow[]> {
  if (turnIds.length === 0) return [];
  return tx
    .select()
    .from(turnSteps)
    .where(inArray(turnSteps.turnId, [...turnIds]))
    .orderBy(asc(turnSteps.turnId), asc(turnSteps.step));
}

export async function isFirstTurn(tx: Queryable, turn: Pick<TurnRow, "id" | "chatId">): Promise<boolean> {
  const [first] = await tx
    .select({ id: turns.id })
    .from(turns)
    .where(eq(turns.chatId, turn.chatId))
    .orderBy(asc(turns.createdAt), asc(turns.id))
    .limit(1);
  return first?.id === turn.id;
}

/** Steps that the turns of a session have made so far. */
export async function countSessionSteps(tx: Queryable, sessionId: string): Promise<number> {
  const found = await tx.execute<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM ${turnSteps} s JOIN ${turns} t ON t.id = s.turn_id WHERE t.session_id = ${sessionId}`);
  return found.rows[0]?.count ?? 0;
}

export async function insertStep(tx: Queryable, row: typeof turnSteps.$inferInsert): Promise<void> {
  await tx.insert(turnSteps).values(row);
}

export async function listToolCalls(tx: Queryable, turnIds: readonly string[]): Promise<ToolCallRow[]> {
  if (turnIds.length === 0) return [];
  return tx
    .select()
    .from(toolCalls)
    .where(inArray(toolCalls.turnId, [...turnIds]))
    .orderBy(asc(toolCalls.turnId), asc(toolCalls.step), asc(toolCalls.position));
}

export async function insertToolCalls(tx: Queryable, rows: (typeof toolCalls.$inferInsert)[]): Promise<void> {
  if (rows.length > 0) await tx.insert(toolCalls).values(rows);
}

/** The turn of a chat in which this question has been answered with these words. */
export async function findAnsweredTurn(
  tx: Queryable,
  chatId: string,
  toolCallId: string,
  answer: string,
): Promise<TurnRow | null> {
  const [row] = await tx
    .select({ turn: turns })
    .from(toolCalls)
    .innerJoin(turns, eq(turns.id, toolCalls.turnId))
    .where(
      and(eq(turns.chatId, chatId), eq(toolCalls.id, toolCallId), sql`${toolCalls.output} ->> 'answer' = ${answer}`),
    );
  return row?.turn ?? null;
}

type NewToolCall = typeof toolCalls.$inferInsert;
export type ToolCallPatch = { [Column in keyof NewToolCall]?: NewToolCall[Column] | SQL };

export async function patchToolCall(tx: Queryable, turnId: string, id: string, patch: ToolCallPatch): Promise<void> {
  await tx
    .update(toolCalls)
    .set(patch)
    .where(and(eq(toolCalls.turnId, turnId), eq(toolCalls.id, id)));
}

/** Whether another turn of the sandbox writes right now; one at a time (design.md, section 5). */
export async function hasOtherRunning(tx: Queryable, sandboxId: string, turnId: string): Promise<boolean> {
  const found = await tx.execute(sql`
    SELECT 1 FROM ${turns} WHERE sandbox_id = ${sandboxId} AND state = 'running' AND id <> ${turnId} LIMIT 1`);
  return found.rows.length > 0;
}

/** Place of a queued turn among those of its sandbox that wait: 1 when nothing is before it. */
export async function queuePosition(tx: Queryable, turn: Pick<TurnRow, "id" | "sandboxId">): Promise<number> {
  const found = await tx.execute<{ position: number }>(sql`
    SELECT count(*)::int AS position FROM ${turns} mine
    JOIN ${turns} other ON other.sandbox_id = mine.sandbox_id AND other.state IN ('queued', 'running')
      AND (other.created_at, other.id) <= (mine.created_at, mine.id)
    WHERE mine.id = ${turn.id} AND mine.state = 'queued'`);
  return found.rows[0]?.position ?? 0;
}
