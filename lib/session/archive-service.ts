import { AGAIN, END, type Execution, fence, type Next, waitMs } from "@/lib/db/lease";
import { dbIn } from "@/lib/db/time";
import type { Deps } from "@/lib/deps";
import { crashPoint } from "@/lib/kernel/crash-points";
import { newReference } from "@/lib/kernel/ids";
import { errorText, redact } from "@/lib/kernel/log";
import { backoffMs } from "@/lib/kernel/retry";
import { within } from "@/lib/sandbox/deadline";
import { isSandboxError } from "@/lib/sandbox/errors";
import { refreshFacts } from "@/lib/sandbox/facts";
import { dropKeptWork, hasKeptWork, keepWork } from "@/lib/sandbox/kept-work";
import { DEADLINE_MS } from "@/lib/sandbox/lifecycle";
import { balanceSlots } from "@/lib/sandbox/slots";
import { specOf } from "@/lib/sandbox/spec";
import {
  deleteSandbox,
  extendDeadline,
  findSandbox,
  lockSandbox,
  patchSandbox,
  providerId,
  type SandboxRow,
  transition,
} from "@/lib/sandbox/store";
import { purgeDeletedSessions } from "./store";

const IN_USE_POLL_MS = 200;
const KEEP_TRIES = 4;

/**
 * Ends a sandbox: waits until no turn and no start writes any more, keeps diff and work, destroys sandbox and snapshot. For a deleted session
 * nothing is kept and the rows go too. Every step can be done again.
 */
export async function archiveSandbox(deps: Deps, execution: Execution, row: SandboxRow, inUse: boolean): Promise<Next> {
  if (inUse) return waitMs(IN_USE_POLL_MS);
  try {
    if (row.wanted !== "deleted" && row.state === "archiving") {
      await within(DEADLINE_MS.archiving, keep(deps, execution, row));
      crashPoint("archive.after-keep");
    }
    await within(DEADLINE_MS.archiving, deps.provider.destroy(providerId(row)));
    crashPoint("archive.after-destroy");
  } catch (error) {
    if (!isSandboxError(error)) throw error;
    return archiveFailed(deps, execution, row, error);
  }
  return row.wanted === "deleted" ? removeRows(deps, execution, row) : becomeArchived(deps, execution, row);
}

/** Keeps the work once per archiving; a sandbox that never held any has nothing to keep. */
async function keep(deps: Deps, execution: Execution, row: SandboxRow): Promise<void> {
  // Of this archiving, not of an earlier one that failed after it: work may have been done since.
  const done = row.keptWork?.version === row.version && (await hasKeptWork(deps, row.keptWork));
  if (done || row.baseCommit === null) return;
  const { state } = await deps.provider.peek(providerId(row));
  if (state === "missing") return;
  if (state === "hibernated") await deps.provider.resume(specOf(deps, row));
  await refreshFacts(deps, row.id);
  const before = row.keptWork;
  const kept = await keepWork(deps, row);
  await deps.db.transaction(async (tx) => {
    await fence(tx, execution);
    await patchSandbox(tx, row.id, { keptWork: kept });
  });
  if (before && before.file !== kept.file) await dropKeptWork(deps, before);
}

async function archiveFailed(deps: Deps, execution: Execution, row: SandboxRow, error: unknown): Promise<Next> {
  const referenceId = newReference();
  const failures = row.failures + 1;
  deps.log.error("archive failed", { sandboxId: row.id, referenceId, failures, error: errorText(error) });
  return deps.db.transaction(async (tx): Promise<Next> => {
    const now = await lockSandbox(tx, row.id);
    await fence(tx, execution);
    if (now?.state !== "archiving" && now?.state !== "archived") return AGAIN;
    const view = {
      class: "keep_failed",
      message: redact(`The work could not be kept, so the sandbox stays: ${errorText(error)}`),
      retryable: true,
      referenceId,
    };
    // Whoever deleted the session meanwhile does not want it kept.
    const keeps = now.wanted !== "deleted" && (isSandboxError(error, "permanent") || failures >= KEEP_TRIES);
    if (keeps && now.state === "archiving") {
      await transition(tx, now, "keep_failed", "the work could not be kept", {
        lifecycleError: view,
        wanted: "asleep",
        slot: false,
        queuedAt: null,
      });
      return END;
    }
    const pauseMs = backoffMs(failures, 1_000, 60_000, Math.random());
    if (now.state === "archiving") await extendDeadline(tx, row.id, DEADLINE_MS.archiving);
    await patchSandbox(tx, row.id, { failures, retryAt: dbIn(pauseMs) });
    return waitMs(pauseMs);
  });
}

async function becomeArchived(deps: Deps, execution: Execution, row: SandboxRow): Promise<Next> {
  await deps.db.transaction(async (tx) => {
    const now = await lockSandbox(tx, row.id);
    await fence(tx, execution);
    if (now?.state !== "archiving" || now.wanted === "deleted") return;
    await transition(tx, now, "destroyed", null, {
      snapshot: null,
      slot: false,
      queuedAt: null,
      devServers: [],
      lifecycleError: null,
      failures: 0,
      retryAt: null,
    });
  });
  await deps.db.transaction((tx) => balanceSlots(tx, row.userId, deps.maxActive));
  return AGAIN;
}

async function removeRows(deps: Deps, execution: Execution, row: SandboxRow): Promise<Next> {
  crashPoint("delete.before-rows");
  const kept = (await findSandbox(deps.db, row.id))?.keptWork;
  if (kept) await dropKeptWork(deps, kept);
  await deps.db.transaction(async (tx) => {
    await lockSandbox(tx, row.id);
    await fence(tx, execution);
    await purgeDeletedSessions(tx, row.id);
    await deleteSandbox(tx, row.id);
  });
  await deps.db.transaction((tx) => balanceSlots(tx, row.userId, deps.maxActive));
  return END;
}
