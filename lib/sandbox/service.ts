import type { Queryable } from "@/lib/db/client";
import type { Deps } from "@/lib/deps";
import { type AppError, appError, notFound } from "@/lib/kernel/errors";
import { err, ok, type Result } from "@/lib/kernel/result";
import type { SandboxState, SandboxView, TransitionView } from "./contract";
import { idleUntil, isLeaving } from "./lifecycle";
import { balanceSlots } from "./slots";
import {
  findSandbox,
  listTransitions,
  lockSandbox,
  patchSandbox,
  providerId,
  readFacts,
  type SandboxRow,
  setWanted,
  transition,
} from "./store";
import { requestWake } from "./wake";

/** What the page polls, from rows alone. */
export async function readSandboxView(tx: Queryable, row: SandboxRow): Promise<SandboxView> {
  const facts = await readFacts(tx, row.id);
  const idle = row.state === "active" && row.wanted === "awake" && !facts.busy && !facts.connected;
  return {
    state: row.state,
    wanted: row.wanted,
    reason: row.wantedReason,
    since: row.since.toISOString(),
    deadlineAt: row.deadlineAt?.toISOString() ?? null,
    hibernateAt: idle ? idleUntil(row).toISOString() : null,
    snapshot: row.snapshot ?? null,
    error: row.lifecycleError ?? null,
    busy: facts.busy,
    ports:
      row.state === "active"
        ? row.devServers.map(({ port, command }) => ({ port, command: command.join(" ").slice(0, 200) }))
        : [],
    idleTimeoutSeconds: row.idleTimeoutSeconds,
    version: row.version,
  };
}

/** `GET …/sandbox`: never wakes anything. */
export async function getSandboxView(deps: Deps, sandboxId: string): Promise<Result<SandboxView, AppError>> {
  const row = await findSandbox(deps.db, sandboxId);
  return row ? ok(await readSandboxView(deps.db, row)) : err(notFound("This session"));
}

export async function listTransitionViews(
  tx: Queryable,
  sandboxId: string,
  limit: number,
  before: number | null,
): Promise<{ transitions: TransitionView[]; nextCursor: string | null }> {
  const rows = await listTransitions(tx, sandboxId, limit + 1, before);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    transitions: page.map((row) => ({
      version: row.version,
      from: row.from,
      to: row.to,
      event: row.event,
      reason: row.reason,
      at: row.at.toISOString(),
    })),
    nextCursor: rows.length > limit && last ? String(last.version) : null,
  };
}

const GONE = appError("archived", "This session is archived. Unarchive it to go on.");

/** Archived, on its way there, or meant to be: nothing that a person asks of the sandbox may take that back. */
function isGone(row: Pick<SandboxRow, "state" | "wanted">): boolean {
  return row.state === "archived" || row.state === "archiving" || isLeaving(row.wanted);
}

/**
 * Asks for the sandbox to fall asleep. Idempotent. A running or queued turn is a 409, unless `force` has stopped it: then the
 * sandbox falls asleep as soon as the turn has ended.
 */
export async function requestHibernate(
  deps: Deps,
  sandboxId: string,
  forced: boolean,
): Promise<Result<{ state: SandboxState }, AppError>> {
  return deps.db.transaction(async (tx) => {
    const row = await lockSandbox(tx, sandboxId);
    if (!row || isGone(row)) return err(GONE);
    if (row.state === "failed")
      return err(appError("conflict", "The sandbox has failed; nothing of it runs. Resume tries again."));
    const facts = await readFacts(tx, sandboxId);
    if (facts.busy && !forced) {
      return err(
        appError(
          "busy",
          'The agent is at work. Stop it first, or send { "force": true } to stop it and put the sandbox to sleep.',
          { retryable: true },
        ),
      );
    }
    await setWanted(tx, sandboxId, "asleep", "requested");
    return ok({ state: row.state });
  });
}

/** Asks for the sandbox to be awake. Idempotent; a failed one gets another try. */
export async function requestResume(
  deps: Deps,
  sandboxId: string,
  userId: string,
): Promise<Result<{ state: SandboxState }, AppError>> {
  const asked = await deps.db.transaction(async (tx): Promise<Result<{ state: SandboxState }, AppError>> => {
    const row = await lockSandbox(tx, sandboxId);
    if (!row || isGone(row)) return err(GONE);
    const willing = row.lifecycleError ? { ...row, lifecycleError: { ...row.lifecycleError, retryable: true } } : row;
    await requestWake(tx, willing, "requested");
    return ok({ state: (await findSandbox(tx, sandboxId))?.state ?? row.state });
  });
  if (asked.ok) await deps.db.transaction((tx) => balanceSlots(tx, userId, deps.maxActive));
  return asked;
}

/** A person is there (typed, pressed a key): the idle time begins anew. Never wakes. */
export async function recordActivity(
  deps: Deps,
  sandboxId: string,
): Promise<Result<{ state: SandboxState }, AppError>> {
  const row = await findSandbox(deps.db, sandboxId);
  if (!row || isGone(row)) return err(GONE);
  if (row.state === "active") await patchSandbox(deps.db, sandboxId, { touchActivity: true });
  return ok({ state: row.state });
}

/** An active sandbox is gone behind our back: brings it back from its files (design.md, section 3). */
export async function reportLost(deps: Deps, seen: Pick<SandboxRow, "id" | "version">): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const row = await lockSandbox(tx, seen.id);
    if (row?.state === "active" && row.version === seen.version)
      await transition(tx, row, "lost", "it stopped behind our back", { failures: 0 });
  });
}

/** The sandbox if it can be used right now; 409 `asleep` otherwise, never a wake-up. */
export async function requireAwake(
  deps: Deps,
  sandboxId: string,
): Promise<Result<SandboxRow & { readonly atProvider: string }, AppError>> {
  const row = await findSandbox(deps.db, sandboxId);
  if (!row || isGone(row)) return err(GONE);
  if (row.state !== "active")
    return err(
      appError("asleep", `The sandbox is ${WORDS[row.state]}. Resume it to use its files.`, {
        retryable: true,
        details: { state: row.state },
      }),
    );
  return ok({ ...row, atProvider: providerId(row) });
}

const WORDS: Readonly<Record<SandboxState, string>> = {
  provisioning: "still starting",
  active: "active",
  hibernating: "going to sleep",
  hibernated: "asleep",
  restoring: "coming back",
  failed: "not running because its start failed",
  archiving: "being archived",
  archived: "archived",
};
