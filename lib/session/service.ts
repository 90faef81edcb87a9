import { applyLimits } from "@/lib/chat/limits";
import { requestStop } from "@/lib/chat/stop";
import type { TurnLimits } from "@/lib/chat/turn";
import { listUnfinishedOfSandbox, lockTurn } from "@/lib/chat/turn-store";
import type { Queryable, Tx } from "@/lib/db/client";
import { dbNow } from "@/lib/db/time";
import type { Deps } from "@/lib/deps";
import { crashPoint } from "@/lib/kernel/crash-points";
import { type AppError, appError, notFound } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import { err, ok, type Result } from "@/lib/kernel/result";
import type { SandboxState } from "@/lib/sandbox/contract";
import { requestHibernate } from "@/lib/sandbox/service";
import { balanceSlots } from "@/lib/sandbox/slots";
import { lockSandbox, type SandboxRow, setWanted, transition } from "@/lib/sandbox/store";
import { requestWake } from "@/lib/sandbox/wake";
import type { ListSessionsQuery, PatchSessionBody, SessionListView, SessionView } from "./contract";
import { newPhases, usualDurations } from "./start";
import { insertStart, listFinishedPhases } from "./start-store";
import {
  countReferences,
  countSessions,
  findOwnedSession,
  findSession,
  findSessionView,
  listSessionViews,
  patchSession,
  type SessionCursor,
  type SessionRow,
} from "./store";

export const NO_SESSION = notFound("This session");

/** The row of a session that is the user's. */
export async function requireSession(deps: Deps, userId: string, id: string): Promise<Result<SessionRow, AppError>> {
  const row = await findOwnedSession(deps.db, userId, id);
  return row ? ok(row) : err(NO_SESSION);
}

/** Does something in a session that is the user's; 404 otherwise. */
export async function inSession<T>(
  deps: Deps,
  userId: string,
  id: string,
  use: (session: SessionRow) => Promise<T>,
): Promise<T | Result<never, AppError>> {
  const session = await requireSession(deps, userId, id);
  return session.ok ? use(session.value) : session;
}

/** The same, and 410 when the session is archived. */
export async function inRunningSession<T>(
  deps: Deps,
  userId: string,
  id: string,
  use: (session: SessionRow) => Promise<T>,
): Promise<T | Result<never, AppError>> {
  return inSession<T | Result<never, AppError>>(deps, userId, id, async (session) =>
    session.status === "archived" ? err(ARCHIVED) : use(session),
  );
}

const ARCHIVED = appError("archived", "This session is archived. Unarchive it to go on.");

/** Limits that the session sets for its turns. */
export async function limitsOf(tx: Queryable, sessionId: string): Promise<TurnLimits> {
  const session = await findSession(tx, sessionId);
  return { maxSteps: session?.maxSteps ?? null, maxCostUsd: session?.maxCostUsd ?? null };
}

/** Puts the sandbox to sleep; with `force` what runs is stopped first and the sandbox sleeps when it has ended. */
export async function hibernateSession(
  deps: Deps,
  session: SessionRow,
  force: boolean,
): Promise<Result<{ state: SandboxState }, AppError>> {
  if (force) {
    await deps.db.transaction(async (tx) => {
      await lockSandbox(tx, session.sandboxId);
      for (const seen of await listUnfinishedOfSandbox(tx, session.sandboxId)) {
        const turn = seen.state === "waiting_for_user" && seen.waiting ? null : await lockTurn(tx, seen.id);
        if (turn) await requestStop(tx, turn, "Stopped to put the sandbox to sleep.");
      }
    });
  }
  return requestHibernate(deps, session.sandboxId, force);
}

export async function getSession(deps: Deps, userId: string, id: string): Promise<Result<SessionView, AppError>> {
  const view = await findSessionView(deps.db, userId, id);
  return view ? ok(view) : err(NO_SESSION);
}

export async function listSessions(
  deps: Deps,
  userId: string,
  query: ListSessionsQuery,
): Promise<Result<SessionListView, AppError>> {
  const cursor = query.cursor === undefined ? null : decodeCursor(query.cursor);
  if (query.cursor !== undefined && cursor === null)
    return err(appError("malformed", "The cursor cannot be read.", { details: { field: "cursor" } }));
  const page = await listSessionViews(
    deps.db,
    userId,
    query.status === "active" ? "running" : "archived",
    query.q.trim(),
    query.limit,
    cursor,
  );
  return ok({
    sessions: page.rows,
    nextCursor: page.last === null ? null : Buffer.from(page.last).toString("base64url"),
    counts: await countSessions(deps.db, userId),
  });
}

function decodeCursor(text: string): SessionCursor | null {
  const match = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+\d\d(?::?\d\d)?)\|([0-9a-f-]{36})$/.exec(
    Buffer.from(text, "base64url").toString(),
  );
  return match?.[1] && match[2] ? { lastActivityAt: match[1], id: match[2] } : null;
}

/** Renames, archives or brings back. */
export async function patchSessionDetails(
  deps: Deps,
  userId: string,
  id: string,
  patch: PatchSessionBody,
): Promise<Result<SessionView, AppError>> {
  const changed = await deps.db.transaction(async (tx): Promise<Result<null, AppError>> => {
    const locked = await lockOwnedSession(tx, userId, id);
    if (!locked) return err(NO_SESSION);
    const { session, sandbox } = locked;
    if (patch.title !== undefined) await patchSession(tx, id, { title: patch.title, titleSource: "person" });
    if (patch.limits !== undefined) await changeLimits(tx, session, sandbox, patch.limits);
    if (patch.status === undefined || patch.status === session.status) return ok(null);
    if (patch.status === "running") return unarchive(tx, session, sandbox);
    await leave(tx, session, sandbox, "archived");
    await patchSession(tx, id, { status: "archived", archivedAt: dbNow });
    return ok(null);
  });
  crashPoint("archive.after-intent");
  if (!changed.ok) return changed;
  if (patch.status === "running") await deps.db.transaction((tx) => balanceSlots(tx, userId, deps.maxActive));
  return getSession(deps, userId, id);
}

/** New limits count at once: a turn that waits at one is looked at again, and goes on if it may now. */
async function changeLimits(
  tx: Tx,
  session: SessionRow,
  sandbox: SandboxRow,
  limits: NonNullable<PatchSessionBody["limits"]>,
): Promise<void> {
  await patchSession(tx, session.id, limits);
  for (const seen of await listUnfinishedOfSandbox(tx, session.sandboxId)) {
    const turn = seen.sessionId === session.id ? await lockTurn(tx, seen.id) : null;
    if (turn && (await applyLimits(tx, turn, limits))) await requestWake(tx, sandbox, "message");
  }
}

/** Locks sandbox and session, in the order of everybody (`lockSandbox`); null for what is not the user's. */
async function lockOwnedSession(
  tx: Tx,
  userId: string,
  id: string,
): Promise<{ session: SessionRow; sandbox: SandboxRow } | null> {
  const seen = await findOwnedSession(tx, userId, id);
  const sandbox = seen ? await lockSandbox(tx, seen.sandboxId) : null;
  // Read again: it may have been archived or deleted while we waited for the lock.
  const session = sandbox ? await findOwnedSession(tx, userId, id, true) : null;
  return session && sandbox ? { session, sandbox } : null;
}

/** Stops all turns and says that the sandbox shall go, unless another session still refers to it. */
async function leave(tx: Tx, session: SessionRow, sandbox: SandboxRow, wanted: "archived" | "deleted"): Promise<void> {
  const others = (await countReferences(tx, sandbox.id)) > (wanted === "archived" ? 1 : 0);
  for (const seen of await listUnfinishedOfSandbox(tx, sandbox.id)) {
    if (seen.sessionId !== session.id) continue;
    const turn = await lockTurn(tx, seen.id);
    if (turn)
      await requestStop(tx, turn, wanted === "archived" ? "The session was archived." : "The session was deleted.");
  }
  if (!others) await setWanted(tx, sandbox.id, wanted, wanted);
}

/** Out of the archive: a new sandbox is made from the kept work. While archiving goes on it is a conflict for a moment. */
async function unarchive(tx: Tx, session: SessionRow, sandbox: SandboxRow): Promise<Result<null, AppError>> {
  if (sandbox.state !== "archived" && sandbox.state !== "failed") {
    return err(
      appError("conflict", "The session is still being archived. Try again in a moment.", { retryable: true }),
    );
  }
  await patchSession(tx, session.id, { status: "running", archivedAt: null, lastActivityAt: dbNow });
  if (sandbox.state === "failed") {
    // The work could not be kept, so the sandbox is still there.
    await setWanted(tx, sandbox.id, "awake", "unarchived");
    await requestWake(tx, { ...sandbox, wanted: "awake" }, "unarchived");
    return ok(null);
  }
  const moved = await transition(tx, sandbox, "unarchive", null, {
    generation: sandbox.generation + 1,
    wanted: "awake",
    wantedReason: "unarchived",
    failures: 0,
    retryAt: null,
    lifecycleError: null,
    queuedAt: dbNow,
    touchActivity: true,
  });
  if (moved) await openStart(tx, session, moved);
  return ok(null);
}

/** Makes the start task of the sandbox's current generation. */
export async function openStart(tx: Tx, session: SessionRow, sandbox: SandboxRow): Promise<void> {
  const usual = usualDurations(await listFinishedPhases(tx, session.userId));
  await insertStart(tx, {
    id: newId(),
    sessionId: session.id,
    sandboxId: sandbox.id,
    generation: sandbox.generation,
    phases: newPhases(usual),
  });
}

/** Deletes a session: reads answer 404 from now on; rows, sandbox and kept work go as soon as nothing runs any more. */
export async function deleteSession(deps: Deps, userId: string, id: string): Promise<Result<null, AppError>> {
  const gone = await deps.db.transaction(async (tx): Promise<Result<null, AppError>> => {
    const locked = await lockOwnedSession(tx, userId, id);
    if (!locked) return err(NO_SESSION);
    await patchSession(tx, id, { deletedAt: dbNow });
    await leave(tx, locked.session, locked.sandbox, "deleted");
    return ok(null);
  });
  crashPoint("delete.after-intent");
  return gone;
}
