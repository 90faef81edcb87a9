import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "@/lib/db/client";
import { sandboxes } from "@/lib/db/schema/sandboxes";
import { sessionCounts, sessions } from "@/lib/db/schema/sessions";
import { invariant } from "@/lib/kernel/errors";
import type { SandboxState } from "@/lib/sandbox/contract";
import type { SessionView } from "./contract";

export type SessionRow = typeof sessions.$inferSelect;
type NewSession = typeof sessions.$inferInsert;
export type SessionPatch = { [Column in keyof NewSession]?: NewSession[Column] | SQL };

export async function insertSession(tx: Queryable, row: NewSession): Promise<SessionRow> {
  const [made] = await tx.insert(sessions).values(row).returning();
  invariant(made, "an insert returns its row");
  return made;
}

/** Any session with this id, deleted or not; only for what no person asked for. */
export async function findSession(tx: Queryable, id: string): Promise<SessionRow | null> {
  const [row] = await tx.select().from(sessions).where(eq(sessions.id, id));
  return row ?? null;
}

/** A session that is the user's and not deleted, or null: not yours and not there are the same. */
export async function findOwnedSession(
  tx: Queryable,
  userId: string,
  id: string,
  lock = false,
): Promise<SessionRow | null> {
  const query = tx
    .select()
    .from(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId), isNull(sessions.deletedAt)));
  // Rows that refer to the session can be inserted meanwhile.
  const [row] = lock ? await query.for("no key update") : await query;
  return row ?? null;
}

export async function patchSession(tx: Queryable, id: string, patch: SessionPatch): Promise<void> {
  await tx
    .update(sessions)
    .set({ updatedAt: sql`clock_timestamp()`, ...patch })
    .where(eq(sessions.id, id));
}

/** The session of a sandbox that is not deleted yet, or the last one that was. */
export async function findSessionOfSandbox(tx: Queryable, sandboxId: string): Promise<SessionRow | null> {
  const [row] = await tx
    .select()
    .from(sessions)
    .where(eq(sessions.sandboxId, sandboxId))
    .orderBy(sql`deleted_at IS NULL DESC, created_at`)
    .limit(1);
  return row ?? null;
}

/** Sessions that still refer to a sandbox; it is destroyed when none is left. */
export async function countReferences(tx: Queryable, sandboxId: string): Promise<number> {
  const found = await tx.execute<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM ${sessions} WHERE sandbox_id = ${sandboxId} AND deleted_at IS NULL`);
  return found.rows[0]?.count ?? 0;
}

/** Removes the deleted sessions of a sandbox with everything that hangs on them. */
export async function purgeDeletedSessions(tx: Queryable, sandboxId: string): Promise<void> {
  await tx.execute(sql`DELETE FROM ${sessions} WHERE sandbox_id = ${sandboxId} AND deleted_at IS NOT NULL`);
}

interface ViewRow extends Record<string, unknown> {
  readonly id: string;
  readonly title: string;
  readonly status: "running" | "archived";
  readonly repo_url: string | null;
  readonly base_branch: string | null;
  readonly branch: string | null;
  readonly model: string;
  readonly tags: string[];
  readonly parent_id: string | null;
  readonly state: SandboxState;
  readonly lines_added: number;
  readonly lines_removed: number;
  readonly idle_timeout_seconds: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly last_activity_at: string;
  readonly archived_at: string | null;
  readonly activity: "working" | "waiting" | "idle";
  readonly unread: boolean;
  readonly chat_id: string | null;
  readonly cursor: string;
}

const VIEW_COLUMNS = sql`
  s.id, s.title, s.status, s.repo_url, s.base_branch, coalesce(b.branch, s.new_branch, s.base_branch) AS branch, s.model, s.tags, s.parent_id,
  b.state, b.lines_added, b.lines_removed, b.idle_timeout_seconds, s.created_at, s.updated_at, s.last_activity_at, s.archived_at,
  CASE WHEN EXISTS (SELECT 1 FROM turns t WHERE t.session_id = s.id AND t.state IN ('queued', 'running')) THEN 'working'
       WHEN EXISTS (SELECT 1 FROM turns t WHERE t.session_id = s.id AND t.state = 'waiting_for_user') THEN 'waiting'
       ELSE 'idle' END AS activity,
  EXISTS (SELECT 1 FROM chats c WHERE c.session_id = s.id AND c.news_seq > c.read_seq) AS unread,
  (SELECT c.id FROM chats c WHERE c.session_id = s.id ORDER BY c.created_at, c.id LIMIT 1) AS chat_id,
  s.last_activity_at::text || '|' || s.id AS cursor`;

function toView(row: ViewRow): SessionView {
  const iso = (text: string) => new Date(text).toISOString();
  return {
    id: row.id,
    title: row.title,
    status: row.status,
    repo: row.repo_url === null ? null : { url: row.repo_url, branch: row.branch, baseBranch: row.base_branch },
    model: row.model,
    tags: row.tags,
    parentId: row.parent_id,
    sandboxState: row.state,
    activity: row.activity,
    unread: row.unread,
    pr: null,
    linesAdded: row.lines_added,
    linesRemoved: row.lines_removed,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    lastActivityAt: iso(row.last_activity_at),
    archivedAt: row.archived_at === null ? null : iso(row.archived_at),
    idleTimeoutSeconds: row.idle_timeout_seconds,
    chatId: row.chat_id,
  };
}

export async function findSessionView(tx: Queryable, userId: string, id: string): Promise<SessionView | null> {
  const found = await tx.execute<ViewRow>(sql`
    SELECT ${VIEW_COLUMNS} FROM ${sessions} s JOIN ${sandboxes} b ON b.id = s.sandbox_id
    WHERE s.id = ${id} AND s.user_id = ${userId} AND s.deleted_at IS NULL`);
  const row = found.rows[0];
  return row ? toView(row) : null;
}

export interface SessionPage {
  readonly sessions: SessionView[];
  readonly nextCursor: string | null;
}

/** Where a page begins: the sort key of the last row of the page before. */
export interface SessionCursor {
  readonly lastActivityAt: string;
  readonly id: string;
}

/** One page, newest activity first; `q` is looked for in title, repository and branch. */
export async function listSessionViews(
  tx: Queryable,
  userId: string,
  status: "running" | "archived",
  q: string,
  limit: number,
  cursor: SessionCursor | null,
): Promise<{ readonly rows: SessionView[]; readonly last: string | null }> {
  const pattern = `%${q.replace(/[\\%_]/g, (char) => `\\${char}`)}%`;
  const found = await tx.execute<ViewRow>(sql`
    SELECT ${VIEW_COLUMNS} FROM ${sessions} s JOIN ${sandboxes} b ON b.id = s.sandbox_id
    WHERE s.user_id = ${userId} AND s.deleted_at IS NULL AND s.status = ${status}
      ${q === "" ? sql`` : sql`AND (s.title ILIKE ${pattern} OR s.repo_url ILIKE ${pattern} OR b.branch ILIKE ${pattern} OR s.new_branch ILIKE ${pattern})`}
      ${cursor ? sql`AND (s.last_activity_at, s.id) < (${cursor.lastActivityAt}::timestamptz, ${cursor.id}::uuid)` : sql``}
    ORDER BY s.last_activity_at DESC, s.id DESC LIMIT ${limit + 1}`);
  const page = found.rows.slice(0, limit);
  return { rows: page.map(toView), last: found.rows.length > limit ? (page.at(-1)?.cursor ?? null) : null };
}

export async function countSessions(tx: Queryable, userId: string): Promise<{ active: number; archived: number }> {
  const { active, archived } = sessionCounts;
  const [row] = await tx.select({ active, archived }).from(sessionCounts).where(eq(sessionCounts.userId, userId));
  return row ?? { active: 0, archived: 0 };
}
