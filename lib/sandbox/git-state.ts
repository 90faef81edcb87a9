import type { Deps } from "@/lib/deps";
import { proposeMessage } from "@/lib/git/commit-message";
import type { AppError } from "@/lib/kernel/errors";
import { notFound } from "@/lib/kernel/errors";
import { err, ok, type Result } from "@/lib/kernel/result";
import type { GitFacts, GitView } from "./contract";
import { isSandboxError } from "./errors";
import { getDiff } from "./files";
import { reportLost } from "./service";
import { findSandbox, providerId, type SandboxRow } from "./store";
import { readGitFacts } from "./workspace";

/** Where the branch stands, what was pushed where, and a message for the next commit; what was kept when not awake. */
export async function getGit(deps: Deps, sandboxId: string): Promise<Result<GitView, AppError>> {
  const diff = await getDiff(deps, sandboxId, "uncommitted");
  if (!diff.ok) return diff;
  const row = await findSandbox(deps.db, sandboxId);
  if (!row) return err(notFound("This session"));
  const now = diff.value.kept ? null : await readNow(deps, row);
  const facts = now ?? row.keptDiff?.git ?? { branch: row.branch, head: null, unpushed: 0, pushed: null };
  return ok({
    ...facts,
    remote: row.gitRemote ? placeOf(row.gitRemote) : null,
    uncommitted: diff.value.files.length,
    proposedMessage: proposeMessage(diff.value.files),
    takenAt: diff.value.takenAt,
    kept: now === null,
  });
}

async function readNow(deps: Deps, row: SandboxRow): Promise<GitFacts | null> {
  if (row.state !== "active") return null;
  try {
    return await readGitFacts(deps.provider, providerId(row));
  } catch (error) {
    if (!isSandboxError(error)) throw error;
    if (error.kind === "gone") await reportLost(deps, row);
    return null;
  }
}

/** The host of a remote, or the folder of a repository on this machine. */
function placeOf(remote: string): string {
  if (!URL.canParse(remote)) return remote;
  const url = new URL(remote);
  return url.protocol === "file:" ? decodeURIComponent(url.pathname) : url.host;
}
