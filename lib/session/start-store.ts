import { and, desc, eq, sql } from "drizzle-orm";
import type { Queryable } from "@/lib/db/client";
import { notify } from "@/lib/db/listen";
import { sessions, startTasks } from "@/lib/db/schema/sessions";
import { invariant } from "@/lib/kernel/errors";

export type StartRow = typeof startTasks.$inferSelect;

export async function insertStart(tx: Queryable, row: typeof startTasks.$inferInsert): Promise<StartRow> {
  const [made] = await tx.insert(startTasks).values(row).returning();
  invariant(made, "an insert returns its row");
  await notify(tx, "start", made.sessionId);
  return made;
}

export async function findStart(tx: Queryable, id: string): Promise<StartRow | null> {
  const [row] = await tx.select().from(startTasks).where(eq(startTasks.id, id));
  return row ?? null;
}

/** The start of the newest generation of a session. */
export async function findNewestStart(tx: Queryable, sessionId: string): Promise<StartRow | null> {
  const [row] = await tx
    .select()
    .from(startTasks)
    .where(eq(startTasks.sessionId, sessionId))
    .orderBy(desc(startTasks.generation), desc(startTasks.createdAt))
    .limit(1);
  return row ?? null;
}

export type StartPatch = Partial<
  Pick<StartRow, "status" | "phases" | "error" | "skills" | "cancelRequested" | "tries" | "failures" | "lost">
>;

export async function patchStart(
  tx: Queryable,
  row: Pick<StartRow, "id" | "sessionId">,
  patch: StartPatch,
): Promise<void> {
  await tx
    .update(startTasks)
    .set({ ...patch, updatedAt: sql`clock_timestamp()` })
    .where(eq(startTasks.id, row.id));
  await notify(tx, "start", row.sessionId);
}

/** Phases of the newest finished starts of a user, for usual durations. */
export async function listFinishedPhases(tx: Queryable, userId: string): Promise<StartRow["phases"][]> {
  const rows = await tx
    .select({ phases: startTasks.phases })
    .from(startTasks)
    .innerJoin(sessions, eq(sessions.id, startTasks.sessionId))
    .where(and(eq(sessions.userId, userId), eq(startTasks.status, "READY")))
    .orderBy(desc(startTasks.createdAt))
    .limit(20);
  return rows.map((row) => row.phases);
}
