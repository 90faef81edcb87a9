"use client";

import { repoLabel } from "@/components/lib/format";
import type { RecentRepo } from "@/components/session/recent-repos";
import type { SessionDraft } from "@/components/session/session-draft";
import { controlClass, Field } from "@/components/ui/field";
import { SuggestInput } from "@/components/ui/suggest-input";

const NAME_FIELD = { autoCapitalize: "none", autoComplete: "off", spellCheck: false, maxLength: 250 } as const;

interface FieldsProps {
  readonly draft: SessionDraft;
  readonly set: (change: Partial<SessionDraft>) => void;
  readonly errors: Readonly<Record<string, string>>;
  readonly localRepos: boolean;
  /** Repositories of the person's sessions, newest first. */
  readonly recent: readonly RecentRepo[];
}

/** Where to work: a repository, the branch to begin from, and the branch to work on. */
export function RepoFields({ draft, set, errors, localRepos, recent }: FieldsProps) {
  const noRepo = draft.repoUrl.trim() === "";
  return (
    <div className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
      <div className="sm:col-span-2">
        <Field
          label="Repository"
          hint={noRepo ? "Without one the work begins in an empty folder with git." : undefined}
          error={errors["repo.url"]}
        >
          {(control) => (
            <SuggestInput
              {...control}
              {...NAME_FIELD}
              name="repoUrl"
              maxLength={2000}
              value={draft.repoUrl}
              onChange={(repoUrl) => set({ repoUrl })}
              suggestions={recent.map(({ url }) => ({
                value: url,
                label: repoLabel(url),
                icon: url.startsWith("/") || url.startsWith("file:") ? "folder" : "globe",
              }))}
              placeholder={
                localRepos ? "https://github.com/owner/name or /path/to/repo" : "https://github.com/owner/name"
              }
            />
          )}
        </Field>
      </div>
      {!noRepo && <BranchFields draft={draft} set={set} errors={errors} recent={recent} />}
    </div>
  );
}

/** Which branch to begin from, and whether the work goes onto a new one, whose name is shown before it is made. */
function BranchFields({ draft, set, errors, recent }: Omit<FieldsProps, "localRepos">) {
  const known = recent.find((repo) => repo.url === draft.repoUrl.trim())?.branches ?? [];
  return (
    <>
      <Field label="Branch" hint="Empty: the default branch." error={errors["repo.branch"]}>
        {(control) => (
          <SuggestInput
            {...control}
            {...NAME_FIELD}
            name="branch"
            value={draft.branch}
            onChange={(branch) => set({ branch })}
            suggestions={known.map((name) => ({ value: name, label: name, icon: "branch" }))}
            placeholder="main"
          />
        )}
      </Field>
      <Field
        label="New branch"
        hint={draft.onNewBranch ? "The work goes onto this branch." : "Off: the work goes onto the branch itself."}
        error={errors["repo.newBranch"]}
      >
        {(control) => (
          <div className="flex items-center gap-2">
            <input
              type="checkbox"
              name="onNewBranch"
              aria-label="Work on a new branch"
              checked={draft.onNewBranch}
              onChange={(event) => set({ onNewBranch: event.target.checked })}
              className="size-5 shrink-0 accent-accent"
            />
            <input
              {...control}
              {...NAME_FIELD}
              name="newBranch"
              value={draft.newBranch}
              onChange={(event) => set({ newBranch: event.target.value })}
              disabled={!draft.onNewBranch}
              placeholder="named for you"
              className={controlClass}
            />
          </div>
        )}
      </Field>
    </>
  );
}
