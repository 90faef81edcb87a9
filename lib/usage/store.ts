import { and, desc, eq, sql } from "drizzle-orm";
import type { Queryable } from "@/lib/db/client";
import { modelCalls } from "@/lib/db/schema/models";
import { TOTALS, type TotalsRow, toTotals } from "@/lib/model/ledger-store";
import type { DailyUsageView, SessionUsageView } from "./contract";

/** A session's calls, by turn: newest first, at most 100. Titles and commit messages belong to no turn. */
export async function usageByTurn(tx: Queryable, sessionId: string): Promise<SessionUsageView["turns"]> {
  const found = await tx.execute<TotalsRow & { turn_id: string; chat_id: string; started: string }>(sql`
    SELECT ${TOTALS}, turn_id, min(chat_id::text) AS chat_id, min(started_at)::text AS started
    FROM ${modelCalls} WHERE session_id = ${sessionId} AND turn_id IS NOT NULL
    GROUP BY turn_id ORDER BY min(started_at) DESC LIMIT 100`);
  return found.rows.map((row) => ({
    turnId: row.turn_id,
    chatId: row.chat_id,
    startedAt: new Date(row.started).toISOString(),
    ...toTotals(row),
  }));
}

/** A session's calls by model, the dearest first. */
export async function usageByModel(tx: Queryable, sessionId: string): Promise<SessionUsageView["byModel"]> {
  const found = await tx.execute<TotalsRow & { model: string }>(sql`
    SELECT ${TOTALS}, model FROM ${modelCalls} WHERE session_id = ${sessionId}
    GROUP BY model ORDER BY sum(cost_usd) DESC NULLS LAST, model`);
  return found.rows.map((row) => ({ model: row.model, ...toTotals(row) }));
}

/** The newest step of a session that went well, and what it had in its context when it ended. */
export async function findLastStep(tx: Queryable, sessionId: string): Promise<SessionUsageView["lastStep"]> {
  const [row] = await tx
    .select({
      chatId: modelCalls.chatId,
      model: modelCalls.model,
      contextTokens: sql<number>`${modelCalls.inputTokens} + ${modelCalls.outputTokens}`,
    })
    .from(modelCalls)
    .where(and(eq(modelCalls.sessionId, sessionId), eq(modelCalls.purpose, "step"), eq(modelCalls.outcome, "done")))
    .orderBy(desc(modelCalls.startedAt))
    .limit(1);
  return row?.chatId ? { ...row, chatId: row.chatId } : null;
}

/** A user's calls of the last days (UTC, today included), sums by day and by model and altogether. */
export async function usageOfDays(tx: Queryable, userId: string, days: number): Promise<DailyUsageView> {
  const since = sql`(date_trunc('day', now() AT TIME ZONE 'UTC') - (${days - 1} * interval '1 day')) AT TIME ZONE 'UTC'`;
  const which = sql`FROM ${modelCalls} WHERE user_id = ${userId} AND started_at >= ${since}`;
  const total = await tx.execute<TotalsRow>(sql`SELECT ${TOTALS} ${which}`);
  const byDay = await tx.execute<TotalsRow & { day: string }>(sql`
    SELECT ${TOTALS}, (started_at AT TIME ZONE 'UTC')::date::text AS day ${which}
    GROUP BY 10 ORDER BY 10 DESC`);
  const byModel = await tx.execute<TotalsRow & { model: string }>(sql`
    SELECT ${TOTALS}, model ${which} GROUP BY model ORDER BY sum(cost_usd) DESC NULLS LAST, model`);
  return {
    total: toTotals(total.rows[0]),
    days: byDay.rows.map((row) => ({ day: row.day, ...toTotals(row) })),
    byModel: byModel.rows.map((row) => ({ model: row.model, ...toTotals(row) })),
  };
}
