"use client";

import { useRef } from "react";
import { ExampleTasks } from "@/components/session/example-tasks";
import type { RecentRepo } from "@/components/session/recent-repos";
import { RepoFields } from "@/components/session/repo-fields";
import { useCreateSession } from "@/components/session/use-create-session";
import { ModelPicker } from "@/components/settings/model-picker";
import { SHORTCUTS, useAriaKeys, useShortcut } from "@/components/shell/shortcuts";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/error-note";
import { Kbd } from "@/components/ui/kbd";
import type { ConfigView } from "@/lib/session/contract";

/** Starts a session: a task, where to work, on which branch, with which model. Everything but the model may be empty. */
export function NewSessionForm({
  config,
  newBranch,
  recent,
  firstVisit,
}: {
  config: ConfigView;
  /** The name that is proposed for the branch. */
  newBranch: string;
  /** Repositories of the person's sessions, newest first. */
  recent: readonly RecentRepo[];
  /** Whether the person has no session yet. */
  firstVisit: boolean;
}) {
  const form = useRef<HTMLFormElement>(null);
  const task = useRef<HTMLTextAreaElement>(null);
  const { draft, set, submit, creating, failure, fieldErrors } = useCreateSession(config, newBranch, form);
  useShortcut("send", submit);
  useShortcut("composer", () => task.current?.focus());
  const sendKeys = useAriaKeys("send");
  return (
    <form
      ref={form}
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div className="rounded-lg border border-line-strong bg-surface focus-within:border-focus focus-within:outline-1 focus-within:outline-focus">
        <textarea
          ref={task}
          aria-label="Task"
          aria-invalid={fieldErrors.prompt ? true : undefined}
          aria-keyshortcuts={sendKeys}
          dir="auto"
          name="prompt"
          rows={5}
          maxLength={200_000}
          value={draft.prompt}
          onChange={(event) => set({ prompt: event.target.value })}
          placeholder="Fix the failing date test and explain why it failed"
          className="field-sizing-content block max-h-[50dvh] min-h-32 w-full resize-none bg-transparent px-4 pt-3 pb-2 outline-none"
        />
        <div className="flex flex-wrap items-center gap-2 p-2">
          <ModelPicker
            models={config.models}
            value={draft.model}
            onChange={(model) => set({ model })}
            className="max-sm:flex-1 max-sm:basis-28"
          />
          <span className="ml-auto max-sm:hidden pointer-coarse:hidden">
            <Kbd keys={SHORTCUTS.send.keys} />
          </span>
          <Button type="submit" variant="primary" icon="send" size="md" busy={creating}>
            Start session
          </Button>
        </div>
      </div>
      {fieldErrors.prompt && <ErrorNote message={fieldErrors.prompt} />}
      {fieldErrors.model && <ErrorNote message={fieldErrors.model} />}
      {failure && <ErrorNote message={failure.message} reference={failure.requestId} />}
      <RepoFields draft={draft} set={set} errors={fieldErrors} localRepos={config.localRepos} recent={recent} />
      {firstVisit && (
        <ExampleTasks
          demo={draft.model.startsWith("demo/")}
          onPick={(prompt) => {
            set({ prompt });
            task.current?.focus();
          }}
        />
      )}
    </form>
  );
}
