import type { DevServer } from "@/lib/db/schema/sandboxes";
import type { Deps } from "@/lib/deps";
import type { DiffView } from "./contract";
import { findSandbox, patchSandbox, providerId, type SandboxPatch } from "./store";
import { readBranch, readDevServers, readDiff, readGitFacts, readListing } from "./workspace";

/**
 * Looks at the workspace and keeps what can be shown without it: both diffs, the listing, branch, ports and line counts.
 * Called when a turn ends and before a sandbox falls asleep. Best effort: what cannot be read stays as it was.
 */
export async function refreshFacts(deps: Deps, sandboxId: string): Promise<void> {
  const row = await findSandbox(deps.db, sandboxId);
  if (!row) return;
  const patch = await collectFacts(deps, providerId(row), row.baseCommit);
  if (Object.keys(patch).length > 0) await patchSandbox(deps.db, sandboxId, patch);
}

async function collectFacts(deps: Deps, id: string, baseCommit: string | null): Promise<SandboxPatch> {
  const { provider } = deps;
  const orNull = <T>(promise: Promise<T>): Promise<T | null> => promise.catch(() => null);
  const [all, uncommitted, git, listing, branch, servers] = await Promise.all([
    orNull(readDiff(provider, id, baseCommit, "all")),
    orNull(readDiff(provider, id, baseCommit, "uncommitted")),
    orNull(readGitFacts(provider, id)),
    orNull(readListing(provider, id)),
    orNull(readBranch(provider, id)),
    orNull<DevServer[]>(readDevServers(provider, id)),
  ]);
  return {
    ...(all && uncommitted
      ? {
          keptDiff: { all: kept(all), uncommitted: kept(uncommitted), ...(git ? { git } : {}) },
          ...countLines(all),
        }
      : {}),
    ...(listing
      ? {
          keptFiles: {
            takenAt: new Date().toISOString(),
            entries: listing.map(({ path, type, sizeBytes }): [string, typeof type, number] => [path, type, sizeBytes]),
          },
        }
      : {}),
    ...(branch ? { branch } : {}),
    ...(servers ? { devServers: servers } : {}),
  };
}

function kept(diff: DiffView): DiffView {
  return { ...diff, kept: true };
}

function countLines(diff: DiffView): { linesAdded: number; linesRemoved: number } {
  return {
    linesAdded: diff.files.reduce((sum, file) => sum + file.additions, 0),
    linesRemoved: diff.files.reduce((sum, file) => sum + file.deletions, 0),
  };
}
