import { listChats } from "@/lib/chat/store";
import { appendEvents } from "@/lib/chat/stream-store";
import { explainWaiting } from "@/lib/chat/waiting";
import type { Tx } from "@/lib/db/client";
import { AGAIN, END, type Execution, fence, type Next, type RunRef, waitMs, withLease } from "@/lib/db/lease";
import { dbIn, dbNow } from "@/lib/db/time";
import type { Deps } from "@/lib/deps";
import { crashPoint } from "@/lib/kernel/crash-points";
import { newReference } from "@/lib/kernel/ids";
import { errorText, redact } from "@/lib/kernel/log";
import { backoffMs } from "@/lib/kernel/retry";
import { within } from "@/lib/sandbox/deadline";
import { isSandboxError } from "@/lib/sandbox/errors";
import { refreshFacts } from "@/lib/sandbox/facts";
import { deliverUploads } from "@/lib/sandbox/files";
import { DEADLINE_MS, deadlineMs, decideLifecycle, RESTORE_TRIES } from "@/lib/sandbox/lifecycle";
import { balanceSlots } from "@/lib/sandbox/slots";
import { specOf } from "@/lib/sandbox/spec";
import {
  extendDeadline,
  hasUploads,
  lockSandbox,
  patchSandbox,
  providerId,
  readFacts,
  type SandboxRow,
  transition,
} from "@/lib/sandbox/store";
import { restartDevServers } from "@/lib/sandbox/workspace";
import { archiveSandbox } from "./archive-service";
import { openStart } from "./service";
import { countSessions, findSessionOfSandbox } from "./store";

/** How long the look at the workspace may take before a sandbox falls asleep without it. */
const LOOK_MS = 60_000;

/** Walks a sandbox one step towards what is wanted (design.md, section 3). */
export async function runLifecycle(deps: Deps, ref: RunRef): Promise<Next> {
  return withLease<Next>(deps.db, "sandboxes", ref, deps.owner, async (execution) => {
    let decided = await decideNext(deps, execution, { looked: false });
    if (decided?.decision.do === "move" && decided.decision.event === "fall_asleep") {
      // While it is awake: from the move on, what was kept is what is shown. A message may change the decision meanwhile.
      await within(LOOK_MS, refreshFacts(deps, ref.id)).catch(() => {});
      decided = await decideNext(deps, execution, { looked: true });
    }
    if (!decided) return END;
    const { row, decision, facts } = decided;
    switch (decision.do) {
      case "rest":
        return END;
      case "wait":
        return waitMs(decision.until.getTime() - facts.now.getTime());
      case "move":
        crashPoint(decision.event === "wake" ? "restore.after-intent" : "hibernate.after-intent");
        return AGAIN;
      case "effect":
        if (decision.effect === "hibernate") return hibernate(deps, execution, row);
        if (decision.effect === "restore") return restore(deps, execution, row);
        return archiveSandbox(deps, execution, row, facts.running || facts.startRuns);
      default:
        return decision satisfies never;
    }
  });
}

/** Decides from the rows and makes the move, if it is one; falling asleep is only made after a look. Null: there is no row. */
function decideNext(deps: Deps, execution: Execution, { looked }: { looked: boolean }) {
  return deps.db.transaction(async (tx) => {
    const row = await lockSandbox(tx, execution.id);
    await fence(tx, execution);
    if (!row) return null;
    const facts = await readFacts(tx, row.id);
    const decision = decideLifecycle(row, facts, facts.now);
    const limit = decision.do === "effect" ? deadlineMs(row.state) : null;
    if (limit !== null) await extendDeadline(tx, row.id, limit);
    if (decision.do === "move" && decision.event === "fall_asleep") {
      if (!looked) return { row, decision, facts };
      await transition(tx, row, decision.event, decision.reason, {
        wanted: "asleep",
        wantedReason: decision.reason,
        retryAt: null,
      });
      if (decision.reason === "limit") await tellLimit(tx, row);
    } else if (decision.do === "move") {
      await transition(tx, row, decision.event, decision.reason, { failures: 0, retryAt: null });
    }
    return { row, decision, facts };
  });
}

/** The chat of a session that was put to sleep to make room says so. */
async function tellLimit(tx: Tx, row: SandboxRow): Promise<void> {
  const session = await findSessionOfSandbox(tx, row.id);
  const [chat] = session ? await listChats(tx, session.id) : [];
  if (!session || !chat) return;
  const { active } = await countSessions(tx, session.userId);
  await appendEvents(tx, chat.id, [
    {
      kind: "notice",
      name: "too_many_sessions",
      source: "system",
      data: { message: `Put to sleep because ${active} sessions were open. Send a message to bring it back.` },
      news: true,
    },
  ]);
}

async function hibernate(deps: Deps, execution: Execution, row: SandboxRow): Promise<Next> {
  crashPoint("hibernate.before-seal");
  try {
    const snapshot = await within(DEADLINE_MS.hibernating, deps.provider.hibernate(providerId(row)));
    crashPoint("hibernate.after-seal");
    await deps.db.transaction(async (tx) => {
      const now = await lockSandbox(tx, row.id);
      await fence(tx, execution);
      if (now?.state !== "hibernating") return;
      await transition(tx, now, "sealed", now.wantedReason, {
        snapshot: { id: snapshot.id, at: snapshot.at.toISOString(), sizeBytes: snapshot.sizeBytes },
        slot: false,
        queuedAt: now.wanted === "awake" ? dbNow : null,
        failures: 0,
        lifecycleError: null,
      });
    });
    await deps.db.transaction((tx) => balanceSlots(tx, row.userId, deps.maxActive));
    return AGAIN;
  } catch (error) {
    if (!isSandboxError(error)) throw error;
    return sealFailed(deps, execution, row, error);
  }
}

/** Never a stop without a verified snapshot: back to active, visible, tried again later. */
async function sealFailed(deps: Deps, execution: Execution, row: SandboxRow, error: unknown): Promise<Next> {
  const referenceId = newReference();
  deps.log.error("hibernate failed", { sandboxId: row.id, referenceId, error: errorText(error) });
  // Whatever the provider stopped before it failed is brought up again, so that "active" is true.
  await within(DEADLINE_MS.restoring, deps.provider.resume(specOf(deps, row))).catch(() => {});
  await deps.db.transaction(async (tx) => {
    const now = await lockSandbox(tx, row.id);
    await fence(tx, execution);
    if (now?.state !== "hibernating") return;
    const failures = now.failures + 1;
    await transition(tx, now, "seal_failed", "the snapshot could not be made", {
      failures,
      retryAt: dbIn(backoffMs(failures, 30_000, 15 * 60_000, 0)),
      lifecycleError: {
        class: "seal_failed",
        message: "The sandbox could not be put to sleep; it stays active and is tried again later.",
        retryable: true,
        referenceId,
      },
    });
  });
  return AGAIN;
}

async function restore(deps: Deps, execution: Execution, row: SandboxRow): Promise<Next> {
  try {
    await within(DEADLINE_MS.restoring, bringUp(deps, row));
    await deps.db.transaction(async (tx) => {
      const now = await lockSandbox(tx, row.id);
      await fence(tx, execution);
      // One more file was uploaded meanwhile: the next round writes it.
      if (now?.state !== "restoring" || (await hasUploads(tx, row.id))) return;
      await transition(tx, now, "ready", null, {
        touchActivity: true,
        failures: 0,
        retryAt: null,
        lifecycleError: null,
        snapshot: null,
        queuedAt: null,
      });
    });
    return AGAIN;
  } catch (error) {
    if (!isSandboxError(error)) throw error;
    const lost = error.kind === "not_found" || error.reason === "snapshot_damaged";
    if (lost)
      return rebuild(
        deps,
        execution,
        row,
        error.reason === "snapshot_damaged" ? "the snapshot is damaged" : "the snapshot is missing",
      );
    return restoreFailed(deps, execution, row, error);
  }
}

/** Boots it, starts its servers again, and writes what was uploaded while it was away. */
async function bringUp(deps: Deps, row: SandboxRow): Promise<void> {
  await deps.provider.resume(specOf(deps, row));
  crashPoint("restore.after-boot");
  const { bootId } = await deps.provider.peek(providerId(row));
  await restartDevServers(deps.provider, providerId(row), row.devServers, bootId ?? "boot");
  await deliverUploads(deps, row);
}

async function restoreFailed(deps: Deps, execution: Execution, row: SandboxRow, error: unknown): Promise<Next> {
  const referenceId = newReference();
  const failures = row.failures + 1;
  const final = isSandboxError(error, "permanent") || failures >= RESTORE_TRIES;
  deps.log.error("restore failed", { sandboxId: row.id, referenceId, failures, error: errorText(error) });
  return deps.db.transaction(async (tx): Promise<Next> => {
    const now = await lockSandbox(tx, row.id);
    await fence(tx, execution);
    if (now?.state !== "restoring") return AGAIN;
    const message = redact(`The sandbox could not be brought back: ${errorText(error)}`);
    if (final) {
      await transition(tx, now, "gave_up", "restore failed", {
        lifecycleError: { class: "restore_failed", message, retryable: true, referenceId },
        slot: false,
        queuedAt: null,
        retryAt: null,
      });
      await explainWaiting(tx, now.id);
      return AGAIN;
    }
    const pauseMs = backoffMs(failures, 1_000, 20_000, Math.random());
    await patchSandbox(tx, row.id, { failures, retryAt: dbIn(pauseMs) });
    return waitMs(pauseMs);
  });
}

/** The files are lost: a new sandbox from branch and kept work, and the person is told (design.md, section 3). */
async function rebuild(deps: Deps, execution: Execution, row: SandboxRow, why: string): Promise<Next> {
  deps.log.error("sandbox is rebuilt", { sandboxId: row.id, why });
  await deps.db.transaction(async (tx) => {
    const now = await lockSandbox(tx, row.id);
    await fence(tx, execution);
    if (now?.state !== "restoring") return;
    const moved = await transition(tx, now, "rebuild", why, {
      generation: now.generation + 1,
      snapshot: null,
      failures: 0,
      retryAt: null,
      devServers: [],
    });
    const session = await findSessionOfSandbox(tx, row.id);
    if (!moved || !session) return;
    await openStart(tx, session, moved);
    for (const chat of await listChats(tx, session.id)) {
      await appendEvents(tx, chat.id, [
        {
          kind: "notice",
          name: "restored_from_branch",
          source: "system",
          data: {
            message: `The sandbox had to be made anew because ${why}. It starts from the branch${now.keptWork ? " and the kept work" : ""}; changes that were only in the sandbox may be lost.`,
          },
          news: true,
        },
      ]);
    }
  });
  await within(DEADLINE_MS.restoring, deps.provider.destroy(providerId(row))).catch(() => {});
  return END;
}
