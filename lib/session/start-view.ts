import type { Queryable } from "@/lib/db/client";
import { findQueuePosition } from "@/lib/sandbox/slots";
import type { StartView } from "./contract";
import { isStartOpen } from "./start";
import type { StartRow } from "./start-store";

/** A start as poll and stream show it: the same rows, the same shape. */
export async function toStartView(tx: Queryable, row: StartRow): Promise<StartView> {
  const position = isStartOpen(row.status) ? await findQueuePosition(tx, row.sandboxId) : null;
  return {
    id: row.id,
    status: row.status,
    phases: row.phases,
    ...(position === null ? {} : { queuePosition: position }),
    ...(row.error ? { error: row.error } : {}),
    skills: row.skills.map(({ name, source, path, problem }) => ({
      name,
      source,
      path,
      ...(problem ? { problem } : {}),
    })),
  };
}
