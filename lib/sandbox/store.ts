import { and, asc, desc, eq, lt, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "@/lib/db/client";
import { notify } from "@/lib/db/listen";
import { turns } from "@/lib/db/schema/chats";
import { sandboxes, sandboxTransitions, uploads } from "@/lib/db/schema/sandboxes";
import { startTasks } from "@/lib/db/schema/sessions";
import { invariant } from "@/lib/kernel/errors";
import type { Wanted } from "./contract";
import { deadlineMs, type LifecycleEvent, type LifecycleFacts, nextState } from "./lifecycle";

export type SandboxRow = typeof sandboxes.$inferSelect;
export type NewSandbox = typeof sandboxes.$inferInsert;
export type TransitionRow = typeof sandboxTransitions.$inferSelect;

/** The id of a sandbox at its provider: another one for each generation. */
export function providerId(row: Pick<SandboxRow, "id" | "generation">): string {
  return `${row.id}-${row.generation}`;
}

export async function insertSandbox(
  tx: Queryable,
  row: Omit<NewSandbox, "queuedAt"> & { queuedAt: SQL },
): Promise<SandboxRow> {
  const [made] = await tx.insert(sandboxes).values(row).returning();
  invariant(made, "an insert returns its row");
  await tx
    .insert(sandboxTransitions)
    .values({ sandboxId: made.id, version: made.version, from: null, to: made.state, event: "create", reason: null });
  await notify(tx, "sandbox", made.id);
  return made;
}

export async function findSandbox(tx: Queryable, id: string): Promise<SandboxRow | null> {
  const [row] = await tx.select().from(sandboxes).where(eq(sandboxes.id, id));
  return row ?? null;
}

/**
 * Locks the row until the transaction ends. Lock order: user, sandbox, session, chat stream, chat, turn. The sandbox comes before its
 * session, because the end of a turn locks it first and moves the session up in the list last.
 */
export async function lockSandbox(tx: Queryable, id: string): Promise<SandboxRow | null> {
  const [row] = await tx.select().from(sandboxes).where(eq(sandboxes.id, id)).for("update");
  return row ?? null;
}

/** Columns that a transition may set besides the state itself. */
type PatchColumns = Pick<
  NewSandbox,
  | "generation"
  | "wanted"
  | "wantedReason"
  | "retryAt"
  | "failures"
  | "lifecycleError"
  | "snapshot"
  | "devServers"
  | "slot"
  | "queuedAt"
  | "baseCommit"
  | "branch"
  | "keptDiff"
  | "keptFiles"
  | "keptWork"
  | "linesAdded"
  | "linesRemoved"
>;
export type SandboxPatch = { [Column in keyof PatchColumns]?: PatchColumns[Column] | SQL } & {
  /** Counts as activity: the idle time begins anew. */
  readonly touchActivity?: boolean;
};

/**
 * The only writer of `state`: one compare-and-set on `version`, one row in the log, one hint.
 * Answers null when the race was lost; the caller reads the row again and decides again.
 * @throws when the event cannot happen in this state, which is a bug of the caller
 */
export async function transition(
  tx: Queryable,
  row: Pick<SandboxRow, "id" | "state" | "version">,
  event: LifecycleEvent,
  reason: string | null,
  patch: SandboxPatch = {},
): Promise<SandboxRow | null> {
  const to = nextState(row.state, event);
  invariant(to, `a sandbox that is ${row.state} cannot ${event}`);
  const limit = deadlineMs(to);
  const { touchActivity, ...columns } = patch;
  const [moved] = await tx
    .update(sandboxes)
    .set({
      ...columns,
      state: to,
      version: row.version + 1,
      since: sql`clock_timestamp()`,
      deadlineAt: limit === null ? null : sql`clock_timestamp() + ${limit} * interval '1 millisecond'`,
      ...(touchActivity ? { activityAt: sql`clock_timestamp()` } : {}),
    })
    .where(and(eq(sandboxes.id, row.id), eq(sandboxes.version, row.version)))
    .returning();
  if (!moved) return null;
  await tx
    .insert(sandboxTransitions)
    .values({ sandboxId: row.id, version: moved.version, from: row.state, to, event, reason });
  await notify(tx, "sandbox", row.id);
  return moved;
}

/** Changes columns that are not the state. */
export async function patchSandbox(tx: Queryable, id: string, patch: SandboxPatch): Promise<void> {
  const { touchActivity, ...columns } = patch;
  await tx
    .update(sandboxes)
    .set({ ...columns, ...(touchActivity ? { activityAt: sql`greatest(activity_at, clock_timestamp())` } : {}) })
    .where(eq(sandboxes.id, id));
  await notify(tx, "sandbox", id);
}

/** Gives a passing state its time again, for another try of the same effect. */
export async function extendDeadline(tx: Queryable, id: string, ms: number): Promise<void> {
  await tx
    .update(sandboxes)
    .set({ deadlineAt: sql`clock_timestamp() + ${ms} * interval '1 millisecond'` })
    .where(eq(sandboxes.id, id));
}

/** Says what should be. The lifecycle walks there. */
export async function setWanted(tx: Queryable, id: string, wanted: Wanted, reason: string | null): Promise<void> {
  await tx.update(sandboxes).set({ wanted, wantedReason: reason, retryAt: null }).where(eq(sandboxes.id, id));
  await notify(tx, "sandbox", id);
}

/**
 * Facts for `decideLifecycle`; read them under the lock of the row. Busy: a queued or running turn, or one that was answered and
 * waits to go on. A start of this generation that failed counts as unfinished: after a retry it goes on, and not the restore.
 */
export async function readFacts(
  tx: Queryable,
  id: string,
): Promise<LifecycleFacts & { readonly now: Date; readonly running: boolean; readonly startRuns: boolean }> {
  const found = await tx.execute<{
    busy: boolean;
    running: boolean;
    starting: boolean;
    start_runs: boolean;
    now: string;
  }>(sql`
    SELECT EXISTS (SELECT 1 FROM ${turns} WHERE sandbox_id = ${id} AND
        (state IN ('queued', 'running') OR (state = 'waiting_for_user' AND waiting IS NULL))) AS busy,
      EXISTS (SELECT 1 FROM ${turns} WHERE sandbox_id = ${id} AND state = 'running') AS running,
      EXISTS (SELECT 1 FROM ${startTasks} s JOIN ${sandboxes} b ON b.id = s.sandbox_id AND b.generation = s.generation
        WHERE b.id = ${id} AND s.status <> 'READY') AS starting,
      EXISTS (SELECT 1 FROM ${startTasks} WHERE sandbox_id = ${id} AND status NOT IN ('READY', 'ERROR')) AS start_runs,
      clock_timestamp() AS now`);
  const row = found.rows[0];
  invariant(row, "a select without a table returns one row");
  const { busy, running, starting, start_runs: startRuns } = row;
  return { busy, running, starting, startRuns, connected: false, now: new Date(row.now) };
}

/** Newest first, at most `limit`, older than `beforeVersion` if given. */
export async function listTransitions(
  tx: Queryable,
  sandboxId: string,
  limit: number,
  beforeVersion: number | null,
): Promise<TransitionRow[]> {
  return tx
    .select()
    .from(sandboxTransitions)
    .where(
      beforeVersion === null
        ? eq(sandboxTransitions.sandboxId, sandboxId)
        : and(eq(sandboxTransitions.sandboxId, sandboxId), lt(sandboxTransitions.version, beforeVersion)),
    )
    .orderBy(desc(sandboxTransitions.version))
    .limit(limit);
}

export async function insertUpload(
  tx: Queryable,
  sandboxId: string,
  path: string,
  contentBase64: string,
): Promise<void> {
  await tx.insert(uploads).values({ sandboxId, path, content: contentBase64 });
}

export async function listUploads(tx: Queryable, sandboxId: string): Promise<(typeof uploads.$inferSelect)[]> {
  return tx.select().from(uploads).where(eq(uploads.sandboxId, sandboxId)).orderBy(asc(uploads.id));
}

/** Whether files wait for the sandbox; read it under the lock of the row. */
export async function hasUploads(tx: Queryable, sandboxId: string): Promise<boolean> {
  return (
    (await tx.select({ id: uploads.id }).from(uploads).where(eq(uploads.sandboxId, sandboxId)).limit(1)).length > 0
  );
}

export async function deleteUpload(tx: Queryable, id: number): Promise<void> {
  await tx.delete(uploads).where(eq(uploads.id, id));
}

/** What a look over all sandboxes needs of each; not the kept diff and listing, which are large. */
export type OwnSandbox = Pick<SandboxRow, "id" | "generation" | "state" | "version">;

/** All rows that may have something at the provider of this host. */
export async function listOwnSandboxes(tx: Queryable, provider: string, hostId: string): Promise<OwnSandbox[]> {
  const { id, generation, state, version } = sandboxes;
  return tx
    .select({ id, generation, state, version })
    .from(sandboxes)
    .where(
      and(eq(sandboxes.provider, provider), sql`(${sandboxes.hostId} IS NULL OR ${sandboxes.hostId} = ${hostId})`),
    );
}

export async function deleteSandbox(tx: Queryable, id: string): Promise<void> {
  await tx.delete(sandboxes).where(eq(sandboxes.id, id));
}
