import type { DrivenTable, RunRef } from "@/lib/db/lease";
import type { Deps } from "@/lib/deps";
import { mendRows } from "./mend-rows";
import { assignSandboxes, assignStarts, assignTurns, lookForWork } from "./open-work";

/** Mends what services left to mend, names a new run on every row that needs one, and answers these rows. */
export async function assignWork(deps: Deps): Promise<Record<DrivenTable, readonly RunRef[]>> {
  let open = await lookForWork(deps.db, deps);
  if (open.mends) {
    await mendRows(deps);
    open = await lookForWork(deps.db, deps);
  }
  return {
    start_tasks: open.starts ? await assignStarts(deps.db, deps) : [],
    sandboxes: open.sandboxes ? await assignSandboxes(deps.db, deps) : [],
    turns: open.turns ? await assignTurns(deps.db, deps) : [],
  };
}
