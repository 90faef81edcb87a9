"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/error-note";
import { controlClass } from "@/components/ui/field";
import { LastPush } from "@/components/workspace/changes/last-push";
import { useCommit } from "@/components/workspace/changes/use-commit";
import { pushWords } from "@/components/workspace/push-words";
import type { GitView } from "@/lib/sandbox/contract";

/**
 * Commits what is uncommitted, with a message that is proposed until somebody writes another, and pushes it if wanted.
 * `blocked` says why that is not possible now. What it says has a line of its own, so that nothing moves.
 */
export function CommitForm({
  sessionId,
  git,
  blocked,
}: {
  sessionId: string;
  git: GitView | undefined;
  blocked: string | null;
}) {
  const [written, setWritten] = useState<string | null>(null);
  const [unwanted, setUnwanted] = useState(false);
  const { commit, committing, done, failure } = useCommit(sessionId);
  const canPush = git?.remote != null;
  const push = canPush && !unwanted;
  const clean = git?.uncommitted === 0;
  const toPush = git?.unpushed ?? 0;
  const message = written ?? git?.proposedMessage ?? "";
  const nothing = clean && !(push && toPush > 0);
  // Only known in the browser: before, a press would send the form as a page of its own.
  const ready = git !== undefined && blocked === null;
  const said = done && {
    sha: done.sha,
    branch: done.branch,
    place: done.pushed ? (git?.remote ?? null) : null,
    committed: !done.pushedOnly,
  };
  return (
    <form
      aria-label="Commit"
      className="flex flex-col gap-2 border-t border-line bg-surface p-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!ready || nothing) return;
        void commit(clean ? "" : message, push, clean).then((ok) => ok && setWritten(null));
      }}
    >
      <textarea
        aria-label="Commit message"
        rows={3}
        value={message}
        maxLength={20_000}
        placeholder={clean ? "Nothing to commit" : "Commit message"}
        onChange={(event) => setWritten(event.target.value)}
        disabled={!ready || clean}
        className={`${controlClass} resize-none text-sm`}
      />
      <div className="flex items-center justify-between gap-2">
        <label className="flex min-h-8 items-center gap-2 text-sm text-ink-soft">
          <input
            type="checkbox"
            checked={push}
            disabled={!canPush || !ready}
            onChange={(event) => setUnwanted(!event.target.checked)}
            className="size-4 accent-accent"
          />
          {git && !canPush ? "No remote to push to" : "Push after the commit"}
        </label>
        <Button type="submit" variant="primary" busy={committing} disabled={!ready || nothing}>
          {clean && push && toPush > 0
            ? `Push ${toPush === 1 ? "1 commit" : `${toPush} commits`}`
            : push
              ? "Commit and push"
              : "Commit"}
        </Button>
      </div>
      <p role="status" className="min-h-4.5 truncate text-xs text-ink-faint">
        {blocked ?? <LastPush said={said} git={git} />}
      </p>
      {failure && (
        <ErrorNote
          message={(failure.code === "push_refused" && pushWords(outputOf(failure))) || failure.message}
          reference={failure.requestId}
        >
          {outputOf(failure) !== "" && (
            <details className="w-full min-w-0 text-xs">
              <summary>What git said</summary>
              <pre className="scroll-area mt-1 max-h-40 font-mono whitespace-pre-wrap [overflow-wrap:anywhere]">
                {outputOf(failure)}
              </pre>
            </details>
          )}
        </ErrorNote>
      )}
    </form>
  );
}

function outputOf(failure: { readonly details?: Readonly<Record<string, unknown>> }): string {
  return typeof failure.details?.output === "string" ? failure.details.output : "";
}
