import type { Deps } from "@/lib/deps";
import { errorText } from "@/lib/kernel/log";
import { balanceSlots } from "@/lib/sandbox/slots";
import { lockSandbox } from "@/lib/sandbox/store";
import { requestWake } from "@/lib/sandbox/wake";
import { openStart } from "@/lib/session/service";
import { reopenStart } from "@/lib/session/start-service";
import { findNewestStart } from "@/lib/session/start-store";
import { findSessionOfSandbox } from "@/lib/session/store";
import { findAsleepButNeeded, findUsersInLine, findWithoutStart } from "./open-work";

/**
 * Ends races between services by the same calls that people make. Each row by itself: one that cannot be mended must not keep
 * the reconciler from all the others.
 */
export async function mendRows(deps: Deps): Promise<void> {
  await each(deps, "asleep but needed", await findAsleepButNeeded(deps.db), (id) => wakeNeeded(deps, id));
  await each(deps, "without a start", await findWithoutStart(deps.db), (id) => startAgain(deps, id));
  await each(deps, "in line", await findUsersInLine(deps.db), (userId) =>
    deps.db.transaction((tx) => balanceSlots(tx, userId, deps.maxActive)),
  );
}

async function each(deps: Deps, what: string, ids: readonly string[], mend: (id: string) => Promise<void>) {
  for (const id of ids) {
    await mend(id).catch((error: unknown) =>
      deps.log.error("a row could not be mended", { what, id, error: errorText(error) }),
    );
  }
}

function wakeNeeded(deps: Deps, sandboxId: string): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const row = await lockSandbox(tx, sandboxId);
    if (row?.wanted === "asleep") await requestWake(tx, row, "message");
  });
}

/** A retry that a message asked for changed only the sandbox; its start goes on from the phase that failed. */
function startAgain(deps: Deps, sandboxId: string): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const row = await lockSandbox(tx, sandboxId);
    const session = row ? await findSessionOfSandbox(tx, sandboxId) : null;
    if (!row || !session || (row.state !== "provisioning" && row.state !== "restoring")) return;
    const task = await findNewestStart(tx, session.id);
    if (task?.generation === row.generation && task.status === "ERROR") await reopenStart(tx, task);
    else if (task?.generation !== row.generation) await openStart(tx, session, row);
  });
}
