import { type SQL, sql } from "drizzle-orm";
import { newId } from "@/lib/kernel/ids";
import type { Db, Queryable } from "./client";

/** Tables whose rows are driven by workflow runs. */
export type DrivenTable = "sandboxes" | "start_tasks" | "turns";

/** Names one row and the run that may act on it. All of a step's input: ids, never history or secrets. */
export interface RunRef {
  readonly id: string;
  readonly runId: string;
}

/** What a step tells its workflow to do next. */
export type Next = { readonly do: "end" } | { readonly do: "again" } | { readonly do: "wait"; readonly ms: number };

export const END: Next = { do: "end" };
export const AGAIN: Next = { do: "again" };
export function waitMs(ms: number): Next {
  return { do: "wait", ms: Math.max(50, Math.ceil(ms)) };
}

const LEASE = sql`interval '30 seconds'`;
const RENEW_EVERY_MS = 10_000;
const LET_GO_AFTER_MS = 20_000;

export interface Execution {
  readonly table: DrivenTable;
  readonly id: string;
  readonly exec: string;
  /** How many executions this row has seen, this one included. */
  readonly attempt: number;
  /** Executions since the last progress that died or threw. */
  readonly lost: number;
  /** Fires when the lease is lost: stop, and write nothing. */
  readonly signal: AbortSignal;
}

/** The row was taken over; whatever the execution still wants to write must not be written. */
export class LeaseLost extends Error {
  constructor() {
    super("another execution holds this row");
    this.name = "LeaseLost";
  }
}

/**
 * Runs one step body under an execution lease (design.md, section 2, rule 3).
 *
 * The body gets the execution; what it returns is answered to the workflow, and decides when the run counts as overdue.
 * Answers `end` without running the body when the run is no longer the one named on the row, and `wait` when another
 * execution holds it. A body that throws lets go of the row and the error goes on, except `LeaseLost`, which ends the run.
 */
export async function withLease<N extends { readonly do: string }>(
  db: Db,
  table: DrivenTable,
  ref: RunRef,
  owner: string,
  body: (execution: Execution) => Promise<N | Next>,
): Promise<N | Next> {
  const exec = newId();
  const claimed = await db.execute<{ attempt: number; lost: number }>(sql`
    UPDATE ${sql.identifier(table)} SET exec = ${exec}, exec_owner = ${owner}, attempt = attempt + 1,
      lost = lost + CASE WHEN exec IS NULL THEN 0 ELSE 1 END,
      lease_until = clock_timestamp() + ${LEASE}, run_until = clock_timestamp() + ${LEASE}, run_sleeps_until = NULL
    WHERE id = ${ref.id} AND run_id = ${ref.runId} AND (exec IS NULL OR lease_until < clock_timestamp())
    RETURNING attempt, lost`);
  const row = claimed.rows[0];
  if (!row) return whyNot(db, table, ref);

  const lost = new AbortController();
  const stopRenewing = renewLease(db, table, ref.id, exec, lost);
  try {
    const next = await body({ table, id: ref.id, exec, attempt: row.attempt, lost: row.lost, signal: lost.signal });
    await release(db, table, ref, exec, next);
    return next;
  } catch (error) {
    if (error instanceof LeaseLost) return END;
    await release(db, table, ref, exec, AGAIN, 1).catch(() => {});
    throw error;
  } finally {
    stopRenewing();
    lost.abort();
  }
}

async function whyNot(db: Db, table: DrivenTable, ref: RunRef): Promise<Next> {
  const found = await db.execute<{ ms: number }>(sql`
    SELECT greatest(0, extract(epoch FROM lease_until - clock_timestamp()) * 1000)::int AS ms
    FROM ${sql.identifier(table)} WHERE id = ${ref.id} AND run_id = ${ref.runId}`);
  const busy = found.rows[0];
  return busy ? waitMs(Math.min(busy.ms + 100, 5_000)) : END;
}

/** Ends or hands on the run: the row says when the next step is due, so that a run that stops silently is noticed. */
async function release(
  db: Queryable,
  table: DrivenTable,
  ref: RunRef,
  exec: string,
  next: { readonly do: string } | Next,
  lost = 0,
): Promise<void> {
  const pauseMs = next.do === "wait" && "ms" in next ? next.ms : null;
  const after = sql`${pauseMs ?? 0} * interval '1 millisecond'`;
  const sleeps: SQL = pauseMs !== null ? sql`clock_timestamp() + ${after}` : sql`NULL`;
  await db.execute(sql`
    UPDATE ${sql.identifier(table)} SET exec = NULL, exec_owner = NULL, lease_until = NULL, lost = lost + ${lost},
      run_id = ${next.do === "end" ? sql`NULL` : sql`run_id`},
      run_owner = ${next.do === "end" ? sql`NULL` : sql`run_owner`},
      run_until = clock_timestamp() + ${after} + interval '30 seconds', run_sleeps_until = ${sleeps}
    WHERE id = ${ref.id} AND exec = ${exec} AND run_id = ${ref.runId}`);
}

function renewLease(db: Db, table: DrivenTable, id: string, exec: string, lost: AbortController): () => void {
  let renewedAt = performance.now();
  const timer = setInterval(async () => {
    try {
      const renewed = await db.execute(sql`
        UPDATE ${sql.identifier(table)} SET lease_until = clock_timestamp() + ${LEASE}, run_until = clock_timestamp() + ${LEASE}
        WHERE id = ${id} AND exec = ${exec} RETURNING 1`);
      if (renewed.rows.length === 0) lost.abort(new LeaseLost());
      else renewedAt = performance.now();
    } catch {
      if (performance.now() - renewedAt > LET_GO_AFTER_MS) lost.abort(new LeaseLost());
    }
  }, RENEW_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Locks the row of an execution for the rest of the transaction; first thing in every transaction that an execution
 * writes with, so that a takeover waits and a loser writes nothing.
 * @throws LeaseLost
 */
export async function fence(tx: Queryable, execution: Execution): Promise<void> {
  const held = await tx.execute(sql`
    SELECT 1 FROM ${sql.identifier(execution.table)} WHERE id = ${execution.id} AND exec = ${execution.exec} FOR UPDATE`);
  if (held.rows.length === 0) throw new LeaseLost();
}
