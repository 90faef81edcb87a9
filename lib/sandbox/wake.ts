import type { Queryable } from "@/lib/db/client";
import { sandboxes } from "@/lib/db/schema/sandboxes";
import { dbFirst, dbNow } from "@/lib/db/time";
import { patchSandbox, type SandboxRow, transition } from "./store";

/**
 * Asks for a sandbox to be awake; the row must be locked. Gets in line for a place if it has none, and gives a failed one
 * another try when that can help. Does nothing to one that is archived or being archived.
 */
export async function requestWake(tx: Queryable, row: SandboxRow, reason: string): Promise<void> {
  if (row.state === "archived" || row.state === "archiving" || row.wanted === "archived" || row.wanted === "deleted")
    return;
  await patchSandbox(tx, row.id, {
    wanted: "awake",
    wantedReason: reason,
    retryAt: null,
    queuedAt: row.slot ? null : dbFirst(sandboxes.queuedAt),
    touchActivity: true,
  });
  if (row.state === "failed" && row.lifecycleError?.retryable) await retry(tx, row, reason);
}

/** Leaves `failed` for another try: from the snapshot or the files if there ever were any, else from the start. */
export async function retry(tx: Queryable, row: SandboxRow, reason: string): Promise<SandboxRow | null> {
  const event = row.snapshot || row.baseCommit ? "retry_restore" : "retry_start";
  return transition(tx, row, event, reason, {
    lifecycleError: null,
    failures: 0,
    retryAt: null,
    ...(row.slot ? {} : { queuedAt: dbNow }),
  });
}
