import { sql } from "drizzle-orm";
import type { Queryable } from "@/lib/db/client";
import { notify } from "@/lib/db/listen";
import { sandboxes } from "@/lib/db/schema/sandboxes";
import { DEADLINE_MS } from "./lifecycle";

/** Who may get a place: what is wanted awake, and a start that is to fall asleep when it is over. */
const IN_LINE = sql`(wanted = 'awake' OR (wanted = 'asleep' AND state IN ('provisioning', 'restoring')))`;
/** Of a turn `t`: queued, running, or answered and about to go on. */
const BUSY = sql`(t.state IN ('queued', 'running') OR (t.state = 'waiting_for_user' AND t.waiting IS NULL))`;

/**
 * Shares out the sandboxes that a user may have in use (design.md, section 3). Call it in the transaction that creates,
 * resumes, puts to sleep or stops being busy; it locks the user, so 20 starts at once at a limit of 3 give exactly 3.
 *
 * Those in line get free places, longest waiting first. For each one that stays in line the longest-idle active sandbox
 * without a queued or running turn is put to sleep, with reason `limit`; fewer where a place is about to become free, or has since
 * the free ones were given out (whoever gave it up balances again).
 *
 * Each UPDATE says its conditions twice: a row that it waited for is looked at again by the outer ones only, and may have been
 * archived meanwhile.
 */
export async function balanceSlots(tx: Queryable, userId: string, maxActive: number): Promise<void> {
  await tx.execute(sql`SELECT 1 FROM users WHERE id = ${userId} FOR NO KEY UPDATE`);
  const granted = await tx.execute<{ id: string }>(sql`
    UPDATE ${sandboxes} SET slot = true, queued_at = NULL,
      deadline_at = CASE state WHEN 'provisioning' THEN clock_timestamp() + ${DEADLINE_MS.provisioning} * interval '1 millisecond'
        WHEN 'restoring' THEN clock_timestamp() + ${DEADLINE_MS.restoring} * interval '1 millisecond' ELSE deadline_at END
    WHERE id IN (
      SELECT id FROM ${sandboxes} WHERE user_id = ${userId} AND queued_at IS NOT NULL AND NOT slot AND ${IN_LINE}
      ORDER BY queued_at, id
      LIMIT greatest(0, ${maxActive} - (SELECT count(*) FROM ${sandboxes} WHERE user_id = ${userId} AND slot)))
      AND queued_at IS NOT NULL AND NOT slot AND ${IN_LINE}
    RETURNING id`);
  for (const row of granted.rows) await notify(tx, "sandbox", row.id);

  const evicted = await tx.execute<{ id: string }>(sql`
    UPDATE ${sandboxes} SET wanted = 'asleep', wanted_reason = 'limit', retry_at = NULL
    WHERE id IN (
      SELECT s.id FROM ${sandboxes} s WHERE s.user_id = ${userId} AND s.slot AND s.state = 'active' AND s.wanted = 'awake'
        AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.sandbox_id = s.id AND ${BUSY})
      ORDER BY s.activity_at, s.id
      LIMIT greatest(0,
        (SELECT count(*) FROM ${sandboxes} WHERE user_id = ${userId} AND queued_at IS NOT NULL AND NOT slot AND ${IN_LINE})
        - (SELECT count(*) FROM ${sandboxes} WHERE user_id = ${userId} AND slot AND wanted <> 'awake')
        - greatest(0, ${maxActive} - (SELECT count(*) FROM ${sandboxes} WHERE user_id = ${userId} AND slot))))
      AND slot AND state = 'active' AND wanted = 'awake'
    RETURNING id`);
  for (const row of evicted.rows) await notify(tx, "sandbox", row.id);
}

/** Place in line from 1, or null when the sandbox does not wait for one. */
export async function findQueuePosition(tx: Queryable, sandboxId: string): Promise<number | null> {
  const found = await tx.execute<{ position: number }>(sql`
    SELECT count(*)::int AS position FROM ${sandboxes} mine
    JOIN ${sandboxes} other ON other.user_id = mine.user_id AND other.queued_at IS NOT NULL AND NOT other.slot
      AND (other.queued_at, other.id) <= (mine.queued_at, mine.id)
    WHERE mine.id = ${sandboxId} AND mine.queued_at IS NOT NULL AND NOT mine.slot`);
  const position = found.rows[0]?.position ?? 0;
  return position > 0 ? position : null;
}
