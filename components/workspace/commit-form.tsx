"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/error-note";
import { controlClass, Field } from "@/components/ui/field";
import { useCommit } from "@/components/workspace/use-commit";

/** Commits the uncommitted changes, with a push if wanted. `blocked` says why that is not possible now. */
export function CommitForm({
  sessionId,
  canPush,
  blocked,
}: {
  sessionId: string;
  canPush: boolean;
  blocked: string | null;
}) {
  const [message, setMessage] = useState("");
  const [push, setPush] = useState(canPush);
  const { commit, committing, done, failure } = useCommit(sessionId);
  const told = done
    ? `${done.pushed ? "Committed and pushed" : "Committed"} ${done.sha.slice(0, 8)} on ${done.branch}.`
    : null;
  return (
    <form
      className="flex flex-col gap-1 border-t border-line bg-surface p-3"
      onSubmit={(event) => {
        event.preventDefault();
        void commit(message, push).then((ok) => ok && setMessage(""));
      }}
    >
      <Field label="Commit message" hint={blocked ?? told ?? "Empty: written for you."}>
        {(control) => (
          <textarea
            {...control}
            rows={2}
            value={message}
            maxLength={20_000}
            onChange={(event) => setMessage(event.target.value)}
            disabled={blocked !== null}
            className={`${controlClass} resize-y`}
          />
        )}
      </Field>
      <div className="flex items-center justify-between gap-2">
        <label className="flex min-h-8 items-center gap-2 text-sm text-ink-soft">
          <input
            type="checkbox"
            checked={push}
            disabled={!canPush || blocked !== null}
            onChange={(event) => setPush(event.target.checked)}
            className="size-4 accent-accent"
          />
          {canPush ? "Push after the commit" : "No remote to push to"}
        </label>
        <Button type="submit" variant="primary" busy={committing} disabled={blocked !== null}>
          {push ? "Commit and push" : "Commit"}
        </Button>
      </div>
      <div role="status" className="sr-only">
        {told}
      </div>
      {failure && <ErrorNote message={failure.message} reference={failure.requestId} />}
    </form>
  );
}
