import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "@/lib/db/client";
import { turns } from "@/lib/db/schema/chats";
import { modelCalls } from "@/lib/db/schema/models";
import type { CallOutcome, UsageTotals } from "@/lib/usage/contract";
import type { StepUsage } from "./contract";

export type NewCall = Omit<
  typeof modelCalls.$inferInsert,
  | "outputTokens"
  | "cacheReadTokens"
  | "cacheWriteTokens"
  | "reasoningTokens"
  | "estimated"
  | "outcome"
  | "startedAt"
  | "endedAt"
>;

/** Writes down a call before it is made, with what its prompt is likely to cost. */
export async function openCall(tx: Queryable, call: NewCall): Promise<void> {
  await tx.insert(modelCalls).values(call);
}

/** What is known of a call once it is over; `estimated` when the provider did not say. */
export interface CallEnd {
  readonly usage: StepUsage;
  readonly costUsd: number | null;
  readonly estimated: boolean;
  readonly outcome: CallOutcome;
}

/** Writes down how a call ended. One that has ended already stays as it is. */
export async function closeCall(tx: Queryable, id: string, end: CallEnd): Promise<void> {
  await tx
    .update(modelCalls)
    .set({
      ...end.usage,
      costUsd: end.costUsd,
      estimated: end.estimated,
      outcome: end.outcome,
      endedAt: sql`clock_timestamp()`,
    })
    .where(and(eq(modelCalls.id, id), isNull(modelCalls.outcome)));
}

/** The calls of a turn whose process died: still open although nobody makes them any more. */
export async function listOpenCalls(tx: Queryable, turnId: string): Promise<(typeof modelCalls.$inferSelect)[]> {
  return tx
    .select()
    .from(modelCalls)
    .where(and(eq(modelCalls.turnId, turnId), isNull(modelCalls.outcome)));
}

/**
 * Closes calls that are older than any call and belong to no turn that goes on, at what their prompt was likely to cost.
 * @returns how many
 */
export async function closeForgottenCalls(tx: Queryable, olderThanMinutes: number): Promise<number> {
  const closed = await tx.execute(sql`
    UPDATE ${modelCalls} c SET outcome = 'lost', ended_at = clock_timestamp()
    WHERE outcome IS NULL AND started_at < clock_timestamp() - ${olderThanMinutes} * interval '1 minute'
      AND NOT EXISTS (SELECT 1 FROM ${turns} t
        WHERE t.id = c.turn_id AND t.state IN ('queued', 'running', 'waiting_for_user'))
    RETURNING 1`);
  return closed.rows.length;
}

/** Prompt characters and tokens of a chat's newest call of a model that the provider counted itself; null before there is one. */
export async function findCounted(
  tx: Queryable,
  chatId: string,
  model: string,
): Promise<{ readonly promptChars: number; readonly inputTokens: number } | null> {
  const [row] = await tx
    .select({ promptChars: modelCalls.promptChars, inputTokens: modelCalls.inputTokens })
    .from(modelCalls)
    .where(
      and(
        eq(modelCalls.chatId, chatId),
        eq(modelCalls.model, model),
        eq(modelCalls.purpose, "step"),
        eq(modelCalls.outcome, "done"),
        eq(modelCalls.estimated, false),
      ),
    )
    .orderBy(sql`started_at DESC`)
    .limit(1);
  return row ?? null;
}

/** The columns of `UsageTotals`, for a SELECT over `model_calls`. */
export const TOTALS: SQL = sql`count(*)::int AS calls, coalesce(sum(input_tokens), 0)::float8 AS input_tokens,
  coalesce(sum(output_tokens), 0)::float8 AS output_tokens, coalesce(sum(cache_read_tokens), 0)::float8 AS cache_read_tokens,
  coalesce(sum(cache_write_tokens), 0)::float8 AS cache_write_tokens, coalesce(sum(reasoning_tokens), 0)::float8 AS reasoning_tokens,
  sum(cost_usd) AS cost_usd, count(*) FILTER (WHERE cost_usd IS NULL)::int AS unpriced,
  count(*) FILTER (WHERE estimated)::int AS estimated`;

export interface TotalsRow extends Record<string, unknown> {
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
  readonly reasoning_tokens: number;
  readonly cost_usd: number | null;
  readonly unpriced: number;
  readonly estimated: number;
}

export function toTotals(row: TotalsRow | undefined): UsageTotals {
  return {
    calls: row?.calls ?? 0,
    inputTokens: row?.input_tokens ?? 0,
    outputTokens: row?.output_tokens ?? 0,
    cacheReadTokens: row?.cache_read_tokens ?? 0,
    cacheWriteTokens: row?.cache_write_tokens ?? 0,
    reasoningTokens: row?.reasoning_tokens ?? 0,
    costUsd: row?.cost_usd ?? null,
    unpriced: row?.unpriced ?? 0,
    estimated: row?.estimated ?? 0,
  };
}

/** Everything that a turn has used so far, its failed tries and summaries too. */
export async function totalsOfTurn(tx: Queryable, turnId: string): Promise<UsageTotals> {
  const found = await tx.execute<TotalsRow>(sql`SELECT ${TOTALS} FROM ${modelCalls} WHERE turn_id = ${turnId}`);
  return toTotals(found.rows[0]);
}

/** Everything that a session has used so far. */
export async function totalsOfSession(tx: Queryable, sessionId: string): Promise<UsageTotals> {
  const found = await tx.execute<TotalsRow>(sql`SELECT ${TOTALS} FROM ${modelCalls} WHERE session_id = ${sessionId}`);
  return toTotals(found.rows[0]);
}
