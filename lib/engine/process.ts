import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import type { Db } from "@/lib/db/client";
import { processes } from "@/lib/db/schema/processes";

/** `host/pid/start time`: names this process for ever, also after its pid is used again. */
export function ownerOf(hostId: string, pid: number = process.pid): string {
  return `${hostId}/${pid}/${startTimeOf(pid) ?? "unknown"}`;
}

/** Field 22 of /proc/<pid>/stat, or null when there is no such process; a zombie counts as dead. */
export function startTimeOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

export async function beat(db: Db, owner: string, hostId: string): Promise<void> {
  await db.execute(sql`
    INSERT INTO ${processes} (owner, host, pid) VALUES (${owner}, ${hostId}, ${process.pid})
    ON CONFLICT (owner) DO UPDATE SET beat_at = clock_timestamp()`);
}

/** Owners that are dead: on this host those whose process is gone, elsewhere those that have been silent for 30 s. */
async function findDead(db: Db, hostId: string): Promise<string[]> {
  const rows = await db.execute<{ owner: string; host: string; pid: number; silent: boolean }>(sql`
    SELECT owner, host, pid, beat_at < clock_timestamp() - interval '30 seconds' AS silent FROM ${processes}`);
  return rows.rows
    .filter((row) => (row.host === hostId ? ownerOf(hostId, row.pid) !== row.owner : row.silent))
    .map((row) => row.owner);
}

/** Frees what dead processes held, so that their work is taken over at once (design.md, section 2, rule 3). */
export async function releaseDead(db: Db, hostId: string): Promise<number> {
  const dead = await findDead(db, hostId);
  if (dead.length === 0) return 0;
  const list = sql.join(
    dead.map((owner) => sql`${owner}`),
    sql`, `,
  );
  // One statement a transaction: with the locks of several tables at once it would lie across those of the services. The owner goes
  // last, so that a crash in between does the rest again.
  for (const table of ["turns", "start_tasks", "sandboxes"]) {
    await db.execute(
      sql`UPDATE ${sql.identifier(table)} SET exec = NULL, exec_owner = NULL, lease_until = NULL, lost = lost + 1 WHERE exec_owner IN (${list})`,
    );
    await db.execute(
      sql`UPDATE ${sql.identifier(table)} SET run_id = NULL, run_owner = NULL, run_until = NULL, run_sleeps_until = NULL WHERE run_owner IN (${list})`,
    );
  }
  await db.execute(sql`DELETE FROM ${processes} WHERE owner IN (${list})`);
  return dead.length;
}

/** Says goodbye: what this process held can be taken over without waiting. */
export async function retire(db: Db, owner: string): Promise<void> {
  for (const table of ["turns", "start_tasks", "sandboxes"]) {
    await db.execute(
      sql`UPDATE ${sql.identifier(table)} SET run_id = NULL, run_owner = NULL, run_until = NULL, run_sleeps_until = NULL WHERE run_owner = ${owner} AND exec IS NULL`,
    );
  }
}
