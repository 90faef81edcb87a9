import { type SQL, sql } from "drizzle-orm";
import type { Db } from "@/lib/db/client";
import type { DrivenTable, RunRef } from "@/lib/db/lease";

/** Whose work a process may do: that of its own host, and that of sandboxes which belong to no host. */
export interface Worker {
  readonly owner: string;
  readonly hostId: string;
}

const FREE = sql`(x.run_id IS NULL OR x.run_until < clock_timestamp())`;
/** A turn that keeps its sandbox awake: it can go on without a person. */
const UNANSWERED = sql`(t.state IN ('queued', 'running') OR (t.state = 'waiting_for_user' AND t.waiting IS NULL))`;

function ours(worker: Worker): SQL {
  return sql`(b.host_id IS NULL OR b.host_id = ${worker.hostId})`;
}

/** Starts that are not over: once they have a place, once to get in line, and when a person cancels. */
function openStarts(worker: Worker): SQL {
  return sql`SELECT x.id FROM start_tasks x JOIN sandboxes b ON b.id = x.sandbox_id
    WHERE x.status NOT IN ('READY', 'ERROR') AND ${ours(worker)} AND ${FREE}
      AND (b.slot OR x.status = 'WORKING' OR x.cancel_requested OR b.wanted IN ('archived', 'deleted') OR b.generation <> x.generation)`;
}

/** Sandboxes on their way, and active ones: these have a run that sleeps until they are idle. */
function openSandboxes(worker: Worker): SQL {
  const leaving = sql`x.wanted IN ('archived', 'deleted')`;
  const sleeping = sql`x.run_sleeps_until IS NOT NULL AND x.exec IS NULL`;
  const starting = sql`EXISTS (SELECT 1 FROM start_tasks s WHERE s.sandbox_id = x.id AND s.generation = x.generation AND s.status <> 'READY')`;
  return sql`SELECT x.id FROM sandboxes x
    WHERE (x.host_id IS NULL OR x.host_id = ${worker.hostId})
      AND (${FREE} OR (${sleeping} AND ((${leaving} AND x.state NOT IN ('archiving', 'archived'))
        OR x.state IN ('hibernating', 'hibernated')
        OR (x.state = 'restoring' AND (x.retry_at IS NULL OR x.retry_at <= clock_timestamp()))
        OR (x.state = 'active' AND x.wanted = 'asleep' AND (x.retry_at IS NULL OR x.retry_at <= clock_timestamp())))))
      AND ((${leaving} AND x.state NOT IN ('archived'))
        OR (x.state = 'archived' AND x.wanted = 'deleted')
        OR x.state IN ('hibernating', 'archiving')
        OR (x.state = 'restoring' AND x.slot AND NOT ${starting})
        OR (x.state = 'hibernated' AND x.wanted = 'awake' AND x.slot)
        OR (x.state = 'active' AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.sandbox_id = x.id AND ${UNANSWERED})))`;
}

/** Turns that run, and queued or answered ones that could: the sandbox is active and nobody else writes. */
function openTurns(worker: Worker): SQL {
  return sql`SELECT x.id FROM turns x JOIN sandboxes b ON b.id = x.sandbox_id
    WHERE ${ours(worker)} AND (${FREE} OR (x.state = 'running' AND x.stop_requested AND x.run_sleeps_until IS NOT NULL AND x.exec IS NULL))
      AND (x.state = 'running'
        OR ((x.state = 'queued' OR (x.state = 'waiting_for_user' AND x.waiting IS NULL)) AND b.state = 'active'
          AND NOT EXISTS (SELECT 1 FROM turns o WHERE o.sandbox_id = x.sandbox_id AND o.state = 'running')
          AND (x.state <> 'queued' OR NOT EXISTS (SELECT 1 FROM turns o WHERE o.chat_id = x.chat_id AND o.state = 'waiting_for_user'))))`;
}

/** Sandboxes that are asleep although something waits for them; a race between falling asleep and a message ends here. */
const ASLEEP_BUT_NEEDED = sql`SELECT b.id FROM sandboxes b
  WHERE b.state IN ('active', 'hibernating', 'hibernated') AND b.wanted = 'asleep' AND b.wanted_reason IS DISTINCT FROM 'requested'
    AND EXISTS (SELECT 1 FROM turns t WHERE t.sandbox_id = b.id AND ${UNANSWERED})`;

/** Sandboxes that should be started but have no open start: after a retry that a message asked for. */
const WITHOUT_START = sql`SELECT b.id FROM sandboxes b
  WHERE b.wanted IN ('awake', 'asleep') AND (b.state = 'provisioning' OR (b.state = 'restoring'
      AND EXISTS (SELECT 1 FROM start_tasks s WHERE s.sandbox_id = b.id AND s.generation = b.generation AND s.status = 'ERROR')))
    AND NOT EXISTS (SELECT 1 FROM start_tasks s WHERE s.sandbox_id = b.id AND s.generation = b.generation AND s.status NOT IN ('READY', 'ERROR'))`;

/** Users with a sandbox that waits in line for a place. */
const USERS_IN_LINE = sql`SELECT DISTINCT user_id AS id FROM sandboxes WHERE queued_at IS NOT NULL AND NOT slot AND wanted IN ('awake', 'asleep')`;

export interface OpenWork {
  readonly mends: boolean;
  readonly starts: boolean;
  readonly sandboxes: boolean;
  readonly turns: boolean;
}

/** Whether there is anything to do, in one statement: mostly there is not, and each hint asks. */
export async function lookForWork(db: Db, worker: Worker): Promise<OpenWork> {
  const found = await db.execute<OpenWork & Record<string, unknown>>(sql`
    SELECT EXISTS (${ASLEEP_BUT_NEEDED}) OR EXISTS (${WITHOUT_START}) OR EXISTS (${USERS_IN_LINE}) AS mends,
      EXISTS (${openStarts(worker)}) AS starts, EXISTS (${openSandboxes(worker)}) AS sandboxes, EXISTS (${openTurns(worker)}) AS turns`);
  const [work] = found.rows;
  if (!work) throw new Error("unreachable: a SELECT without FROM has one row");
  return work;
}

export const assignStarts = (db: Db, worker: Worker) => assign(db, sql`start_tasks`, openStarts(worker), worker);
export const assignSandboxes = (db: Db, worker: Worker) => assign(db, sql`sandboxes`, openSandboxes(worker), worker);
export const assignTurns = (db: Db, worker: Worker) => assign(db, sql`turns`, openTurns(worker), worker);

/** Names a new run on every row that needs one, and answers the rows. Rows that another process looks at are left to it. */
async function assign(db: Db, table: SQL, open: SQL, worker: Worker): Promise<RunRef[]> {
  const found = await db.execute<{ id: string; run_id: string }>(sql`
    UPDATE ${table} SET run_id = gen_random_uuid(), run_owner = ${worker.owner}, run_until = clock_timestamp() + interval '30 seconds', run_sleeps_until = NULL
    WHERE id IN (${open} LIMIT 200 FOR UPDATE OF x SKIP LOCKED)
    RETURNING id, run_id`);
  return found.rows.map((row) => ({ id: row.id, runId: row.run_id }));
}

/** Lets go of a run that could not be started. */
export async function unassign(db: Db, table: DrivenTable, ref: RunRef): Promise<void> {
  await db.execute(
    sql`UPDATE ${sql.identifier(table)} SET run_id = NULL, run_owner = NULL, run_until = NULL WHERE id = ${ref.id} AND run_id = ${ref.runId}`,
  );
}

export const findAsleepButNeeded = (db: Db) => idsOf(db, ASLEEP_BUT_NEEDED);
export const findWithoutStart = (db: Db) => idsOf(db, WITHOUT_START);
export const findUsersInLine = (db: Db) => idsOf(db, USERS_IN_LINE);

async function idsOf(db: Db, query: SQL): Promise<string[]> {
  return (await db.execute<{ id: string }>(query)).rows.map((row) => row.id);
}
