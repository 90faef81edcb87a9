"use client";

import type { SessionDraft } from "@/components/session/use-create-session";
import { controlClass, Field } from "@/components/ui/field";

/** Where to work: a repository, the branch to begin from, and the branch to work on. */
export function RepoFields({
  draft,
  set,
  errors,
  localRepos,
}: {
  draft: SessionDraft;
  set: (change: Partial<SessionDraft>) => void;
  errors: Readonly<Record<string, string>>;
  localRepos: boolean;
}) {
  const noRepo = draft.repoUrl.trim() === "";
  return (
    <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
      <div className="sm:col-span-2">
        <Field
          label="Repository"
          hint={
            localRepos
              ? "An https address or a folder on this machine. Empty: a new workspace."
              : "An https address. Empty: a new workspace."
          }
          error={errors["repo.url"]}
        >
          {(control) => (
            <input
              {...control}
              name="repoUrl"
              value={draft.repoUrl}
              onChange={(event) => set({ repoUrl: event.target.value })}
              placeholder={
                localRepos ? "https://github.com/owner/name or /path/to/repo" : "https://github.com/owner/name"
              }
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              maxLength={2000}
              className={controlClass}
            />
          )}
        </Field>
      </div>
      <Field label="Branch" hint="Empty: the default branch." error={errors["repo.branch"]}>
        {(control) => (
          <input
            {...control}
            name="branch"
            value={draft.branch}
            onChange={(event) => set({ branch: event.target.value })}
            disabled={noRepo}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            maxLength={250}
            className={controlClass}
          />
        )}
      </Field>
      <div className="min-w-0">
        <Field
          label="New branch"
          hint={draft.onNewBranch ? "Empty: named for you." : "Off: work on the branch itself."}
          error={errors["repo.newBranch"]}
        >
          {(control) => (
            <div className="flex items-center gap-2">
              <input
                type="checkbox"
                name="onNewBranch"
                aria-label="Work on a new branch"
                checked={draft.onNewBranch}
                disabled={noRepo}
                onChange={(event) => set({ onNewBranch: event.target.checked })}
                className="size-5 shrink-0 accent-accent"
              />
              <input
                {...control}
                name="newBranch"
                value={draft.newBranch}
                onChange={(event) => set({ newBranch: event.target.value })}
                disabled={noRepo || !draft.onNewBranch}
                autoCapitalize="none"
                autoComplete="off"
                spellCheck={false}
                maxLength={250}
                className={controlClass}
              />
            </div>
          )}
        </Field>
      </div>
    </div>
  );
}
