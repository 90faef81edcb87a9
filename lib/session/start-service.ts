import { explainWaiting } from "@/lib/chat/waiting";
import { databaseNow, type Tx } from "@/lib/db/client";
import {
  AGAIN,
  END,
  type Execution,
  fence,
  LeaseLost,
  type Next,
  type RunRef,
  waitMs,
  withLease,
} from "@/lib/db/lease";
import { dbNow } from "@/lib/db/time";
import type { Deps } from "@/lib/deps";
import { crashPoint } from "@/lib/kernel/crash-points";
import { type AppError, appError } from "@/lib/kernel/errors";
import { newReference } from "@/lib/kernel/ids";
import { errorText, redact } from "@/lib/kernel/log";
import { err, ok, type Result } from "@/lib/kernel/result";
import { backoffMs, orAborted } from "@/lib/kernel/retry";
import { within } from "@/lib/sandbox/deadline";
import { deliverUploads } from "@/lib/sandbox/files";
import { isLeaving } from "@/lib/sandbox/lifecycle";
import { balanceSlots } from "@/lib/sandbox/slots";
import {
  findSandbox,
  hasUploads,
  lockSandbox,
  patchSandbox,
  providerId,
  type SandboxRow,
  transition,
} from "@/lib/sandbox/store";
import type { StartPhaseName, StartView } from "./contract";
import { beginPhase, currentPhase, endPhase, isStartOpen, PHASE_LIMIT_MS, redoAfter, reopenPhases } from "./start";
import { mayHelpItself, StartFailure, toStartFailure } from "./start-failure";
import { PHASES, type PhaseOutcome } from "./start-phases";
import { findNewestStart, findStart, patchStart, type StartRow } from "./start-store";
import { toStartView } from "./start-view";
import { showOutput, watchCancel } from "./start-watch";
import { findSession, patchSession } from "./store";

const PHASE_TRIES = 5;
/** Executions of a phase that may die before the start is given up: something in it ends the process each time. */
const MAX_LOST_EXECUTIONS = 8;

/** Runs the next phase of a start, one per step of its workflow (design.md, section 4). */
export async function runStart(deps: Deps, ref: RunRef): Promise<Next> {
  return withLease<Next>(deps.db, "start_tasks", ref, deps.owner, async (execution) => {
    const task = await findStart(deps.db, ref.id);
    const sandbox = task ? await findSandbox(deps.db, task.sandboxId) : null;
    const session = task ? await findSession(deps.db, task.sessionId) : null;
    if (!task || !sandbox || !session || !isStartOpen(task.status)) return END;
    if (task.cancelRequested)
      return failStart(deps, execution, task, new StartFailure("cancelled", "The start was cancelled.", true));
    if (
      isLeaving(sandbox.wanted) ||
      sandbox.generation !== task.generation ||
      (sandbox.state !== "provisioning" && sandbox.state !== "restoring")
    ) {
      return closeStart(deps, execution, task);
    }
    if (execution.lost > MAX_LOST_EXECUTIONS) {
      const words = "The app was restarted again and again while this phase ran.";
      return failStart(deps, execution, task, new StartFailure("interrupted", words, true));
    }
    const name = currentPhase(task.phases);
    if (!name) return becomeReady(deps, execution, task);
    crashPoint("start.after-claim");

    const begun = await deps.db.transaction(async (tx) => {
      await fence(tx, execution);
      const phases = beginPhase(task.phases, name, await databaseNow(tx));
      await patchStart(tx, task, { status: name, phases });
      return { ...task, status: name, phases };
    });
    const watch = watchCancel(deps, execution, task, name);
    const show = showOutput(deps, execution, begun, name);
    try {
      const phase = PHASES[name]({ deps, task: begun, session, sandbox, signal: watch.signal, say: show.say });
      const outcome = await orAborted(phase, watch.signal);
      await show.close();
      if (execution.signal.aborted) throw new LeaseLost();
      if (outcome === null) throw new StartFailure("cancelled", "The start was cancelled.", true);
      return outcome.inLine ? END : await savePhase(deps, execution, task, name, outcome);
    } catch (error) {
      await show.close();
      if (error instanceof LeaseLost || execution.signal.aborted) throw new LeaseLost();
      if (watch.cancelled())
        return failStart(deps, execution, task, new StartFailure("cancelled", "The start was cancelled.", true));
      if (watch.signal.aborted)
        return failStart(
          deps,
          execution,
          task,
          new StartFailure("timeout", `${name} took longer than ${PHASE_LIMIT_MS[name] / 1000} seconds.`, true),
        );
      return onPhaseError(deps, execution, task, error);
    } finally {
      watch.close();
    }
  });
}

async function savePhase(
  deps: Deps,
  execution: Execution,
  seen: StartRow,
  name: StartPhaseName,
  outcome: PhaseOutcome,
): Promise<Next> {
  await deps.db.transaction(async (tx) => {
    await lockSandbox(tx, seen.sandboxId);
    await fence(tx, execution);
    const task = await findStart(tx, seen.id);
    if (!task) return;
    const ended = endPhase(task.phases, name, outcome.state, outcome.detail, await databaseNow(tx));
    await patchStart(tx, task, {
      phases: outcome.fresh ? redoAfter(ended, name) : ended,
      // It is done again before each try of a later phase, and must not make their number endless.
      ...(name === "WAITING_FOR_SANDBOX" ? {} : { failures: 0, lost: 0 }),
      ...(outcome.skills ? { skills: [...outcome.skills] } : {}),
    });
    if (outcome.patch) await patchSandbox(tx, task.sandboxId, outcome.patch);
    if (outcome.baseBranch) await patchSession(tx, task.sessionId, { baseBranch: outcome.baseBranch });
  });
  return AGAIN;
}

/** READY: the sandbox becomes active and queued messages are answered, in one transaction. */
async function becomeReady(deps: Deps, execution: Execution, seen: StartRow): Promise<Next> {
  crashPoint("start.before-ready");
  const ready = await deps.db.transaction(async (tx) => {
    const sandbox = await lockSandbox(tx, seen.sandboxId);
    await fence(tx, execution);
    if (!sandbox || isLeaving(sandbox.wanted) || (sandbox.state !== "provisioning" && sandbox.state !== "restoring"))
      return true;
    if (await hasUploads(tx, sandbox.id)) return false;
    await transition(tx, sandbox, "ready", null, {
      touchActivity: true,
      failures: 0,
      lifecycleError: null,
      snapshot: null,
      retryAt: null,
    });
    await patchStart(tx, seen, { status: "READY", error: null });
    return true;
  });
  if (!ready) return takeUploads(deps, seen);
  crashPoint("start.after-ready");
  return END;
}

/** A file was uploaded after the last phase had written those that waited. */
async function takeUploads(deps: Deps, seen: StartRow): Promise<Next> {
  const sandbox = await findSandbox(deps.db, seen.sandboxId);
  if (sandbox) await within(PHASE_LIMIT_MS.STARTING_CONVERSATION, deliverUploads(deps, sandbox));
  return AGAIN;
}

/** The sandbox went another way; this start has nothing left to do. */
async function closeStart(deps: Deps, execution: Execution, task: StartRow): Promise<Next> {
  await deps.db.transaction(async (tx) => {
    await fence(tx, execution);
    await patchStart(tx, task, {
      status: "ERROR",
      error: { class: "cancelled", message: "The start was cancelled.", retryable: false, referenceId: newReference() },
    });
  });
  return END;
}

async function onPhaseError(deps: Deps, execution: Execution, task: StartRow, error: unknown): Promise<Next> {
  const failures = task.failures + 1;
  if (!mayHelpItself(error) || failures >= PHASE_TRIES) return failStart(deps, execution, task, error);
  deps.log.warn("start phase failed, trying again", {
    sessionId: task.sessionId,
    phase: task.status,
    failures,
    error: errorText(error),
  });
  await deps.db.transaction(async (tx) => {
    await fence(tx, execution);
    // The sandbox may be what was lost: it is brought up again first.
    const now = await findStart(tx, task.id);
    await patchStart(tx, task, { failures, ...(now ? { phases: reopenPhases(now.phases) } : {}) });
  });
  return waitMs(backoffMs(failures, 500, 15_000, Math.random()));
}

async function failStart(deps: Deps, execution: Execution, seen: StartRow, error: unknown): Promise<Next> {
  const failure = toStartFailure(error);
  const referenceId = newReference();
  deps.log.error("start failed", {
    sessionId: seen.sessionId,
    referenceId,
    class: failure.failureClass,
    error: errorText(error),
  });
  const view = {
    class: failure.failureClass,
    message: redact(failure.message),
    retryable: failure.retryable,
    referenceId,
  };
  const sandbox = await deps.db.transaction(async (tx): Promise<SandboxRow | null> => {
    const row = await lockSandbox(tx, seen.sandboxId);
    await fence(tx, execution);
    const task = await findStart(tx, seen.id);
    if (!task || !row) return null;
    const name = currentPhase(task.phases);
    const phases = name ? endPhase(task.phases, name, "failed", view.message, await databaseNow(tx)) : task.phases;
    await patchStart(tx, task, { status: "ERROR", error: view, phases, cancelRequested: false, failures: 0 });
    if (row.state !== "provisioning" && row.state !== "restoring") return null;
    await transition(tx, row, "gave_up", failure.failureClass, { lifecycleError: view, slot: false, queuedAt: null });
    await explainWaiting(tx, row.id);
    return row;
  });
  if (sandbox) await standStill(deps, sandbox);
  return END;
}

/** Nothing of a failed sandbox runs; its files stay for the retry. The reconciler does it again if this fails. */
async function standStill(deps: Deps, sandbox: SandboxRow): Promise<void> {
  await deps.db.transaction((tx) => balanceSlots(tx, sandbox.userId, deps.maxActive));
  const id = providerId(sandbox);
  const peek = await deps.provider.peek(id).catch(() => null);
  if (peek?.state === "running") await deps.provider.hibernate(id).catch(() => {});
}

/** Puts a failed start back in line at the phase that failed, with the same sandbox. */
export async function reopenStart(tx: Tx, task: StartRow): Promise<void> {
  await patchStart(tx, task, {
    status: "WORKING",
    error: null,
    phases: reopenPhases(task.phases),
    tries: task.tries + 1,
    failures: 0,
    lost: 0,
    cancelRequested: false,
  });
}

/** `POST …/start/retry`. */
export async function retryStart(deps: Deps, userId: string, sessionId: string): Promise<Result<StartView, AppError>> {
  const done = await deps.db.transaction(async (tx): Promise<Result<null, AppError>> => {
    const seen = await findNewestStart(tx, sessionId);
    const sandbox = seen ? await lockSandbox(tx, seen.sandboxId) : null;
    const task = await findNewestStart(tx, sessionId);
    if (!task || !sandbox) return err(appError("not_found", "This session does not exist."));
    if (isStartOpen(task.status)) return ok(null);
    if (task.status === "READY") return err(appError("conflict", "The session has started already."));
    if (sandbox.state !== "failed" || isLeaving(sandbox.wanted))
      return err(appError("conflict", "This start cannot be tried again now.", { retryable: true }));
    const moved = await transition(tx, sandbox, sandbox.baseCommit ? "retry_restore" : "retry_start", "retry", {
      lifecycleError: null,
      failures: 0,
      retryAt: null,
      wanted: "awake",
      queuedAt: dbNow,
    });
    if (moved) await reopenStart(tx, task);
    return ok(null);
  });
  if (!done.ok) return done;
  await deps.db.transaction((tx) => balanceSlots(tx, userId, deps.maxActive));
  return getStart(deps, sessionId);
}

/** `POST …/start/cancel`: idempotent; a start that is over stays as it is. */
export async function cancelStart(deps: Deps, sessionId: string): Promise<Result<StartView, AppError>> {
  const task = await findNewestStart(deps.db, sessionId);
  if (task && isStartOpen(task.status)) await patchStart(deps.db, task, { cancelRequested: true });
  return getStart(deps, sessionId);
}

export async function getStart(deps: Deps, sessionId: string): Promise<Result<StartView, AppError>> {
  const task = await findNewestStart(deps.db, sessionId);
  return task ? ok(await toStartView(deps.db, task)) : err(appError("not_found", "This session does not exist."));
}
