import { SandboxError } from "@/lib/sandbox/errors";
import type { SandboxSnapshot } from "@/lib/sandbox/provider";
import type { FileTree } from "./file-tree";

/** What a hibernated fake sandbox is resumed from. */
export interface Snapshot extends SandboxSnapshot {
  readonly files: FileTree;
  readonly damaged: boolean;
}

/** The snapshot of a sandbox. Throws `not_found` without one, `snapshot_damaged` for one that cannot be read. */
export function intact(id: string, snapshot: Snapshot | null): Snapshot {
  if (!snapshot) throw new SandboxError("not_found", `Sandbox ${id} has no snapshot.`);
  if (snapshot.damaged) throw new SandboxError("permanent", "The snapshot is damaged.", { reason: "snapshot_damaged" });
  return snapshot;
}

/** The part of it that the port shows. */
export function publicSnapshot({ id, at, sizeBytes }: Snapshot): SandboxSnapshot {
  return { id, at, sizeBytes };
}
