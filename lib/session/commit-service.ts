import type { Deps } from "@/lib/deps";
import { type AppError, appError } from "@/lib/kernel/errors";
import { redact } from "@/lib/kernel/log";
import { err, ok, type Result } from "@/lib/kernel/result";
import { refreshFacts } from "@/lib/sandbox/facts";
import { requireAwake } from "@/lib/sandbox/service";
import { readFacts } from "@/lib/sandbox/store";
import { commitAll, countUnpushed, pushBranch, readBranch } from "@/lib/sandbox/workspace";
import { proposeCommitMessage } from "./commit-message";
import type { CommitView } from "./contract";
import type { SessionRow } from "./store";

/**
 * Commits everything and, if asked, pushes the branch through the git gateway (api.md). 409 when asleep, while a turn runs, or
 * when there is nothing to commit; 422 without a remote, or with git's own words when a hook or the other side refuses.
 */
export async function commitWork(
  deps: Deps,
  session: SessionRow,
  body: { message?: string | undefined; push?: boolean | undefined },
): Promise<Result<CommitView, AppError>> {
  const resting = await requireResting(deps, session.sandboxId);
  if (!resting.ok) return resting;
  const { atProvider: id, gitRemote } = resting.value;
  if (body.push && !gitRemote) return err(appError("no_remote", "This session has no repository to push to."));
  const branch = await readBranch(deps.provider, id);
  if (!branch)
    return err(appError("unprocessable", "No branch is checked out; the agent left the repository on a commit."));

  const message = body.message ?? (await proposeCommitMessage(deps, session, id));
  // The small model takes its time: a turn that began meanwhile must not have its half-made edits committed.
  const still = await requireResting(deps, session.sandboxId);
  if (!still.ok) return still;
  const made = await commitAll(deps.provider, still.value.atProvider, message);
  if (made.kind === "refused") return err(refused("unprocessable", "git refused the commit.", made.output));
  const toPush = body.push === true && (made.kind === "committed" || (await countUnpushed(deps.provider, id)) > 0);
  if (made.kind === "nothing" && !toPush) return err(appError("nothing_to_commit", "There is nothing to commit."));
  if (toPush) {
    const push = await pushBranch(deps.provider, id, branch);
    if (!push.pushed)
      return err(refused("push_refused", "The commit was made, but the push was refused.", push.output, made.sha));
  }
  await refreshFacts(deps, session.sandboxId);
  return ok({ sha: made.sha, branch, pushed: toPush });
}

/** The sandbox, awake and with no turn at work in it. */
async function requireResting(deps: Deps, sandboxId: string): ReturnType<typeof requireAwake> {
  const awake = await requireAwake(deps, sandboxId);
  if (awake.ok && (await readFacts(deps.db, sandboxId)).running)
    return err(appError("busy", "The agent is at work. Commit when the turn has ended.", { retryable: true }));
  return awake;
}

function refused(code: "unprocessable" | "push_refused", message: string, output: string, sha?: string): AppError {
  const words = redact(output).slice(-4_000);
  const line = tellingLine(words);
  return appError(code, `${message} ${line}`.trim(), { details: { output: words, ...(sha ? { sha } : {}) } });
}

/** The line of git that says why: the rejected reference, else the first refusal, else the last word. */
function tellingLine(words: string): string {
  const lines = words.split("\n").map((text) => text.trim());
  const told =
    lines.find((text) => text.startsWith("! ")) ??
    lines.find((text) => /refus|reject|denied|not found|fatal:/i.test(text)) ??
    lines.findLast((text) => text !== "");
  return told ?? "";
}
