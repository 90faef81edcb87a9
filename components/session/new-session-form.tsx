"use client";

import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { RepoFields } from "@/components/session/repo-fields";
import { typedDraft } from "@/components/session/session-draft";
import { useCreateSession } from "@/components/session/use-create-session";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/error-note";
import { controlClass, Field } from "@/components/ui/field";
import type { ConfigView } from "@/lib/session/contract";

/** Starts a session: a task, where to work, on which branch, with which model. Everything but the model may be empty. */
export function NewSessionForm({ config }: { config: ConfigView }) {
  const { draft, set, submit, creating, failure, fieldErrors } = useCreateSession(config);
  const [mac] = useState(() => typeof navigator !== "undefined" && /mac/i.test(navigator.userAgent));
  const form = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page comes to life
  useEffect(() => {
    // What was typed before stands in the fields, but no event told of it.
    if (form.current) set(typedDraft(new FormData(form.current)));
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      void submit();
    }
  };
  return (
    <form
      ref={form}
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field label="Task" hint="Leave it empty to look around first." error={fieldErrors.prompt}>
        {(control) => (
          <textarea
            {...control}
            name="prompt"
            rows={5}
            maxLength={200_000}
            value={draft.prompt}
            onChange={(event) => set({ prompt: event.target.value })}
            onKeyDown={onKeyDown}
            aria-keyshortcuts={mac ? "Meta+Enter" : "Control+Enter"}
            placeholder="Fix the failing date test and explain why it failed"
            className={`${controlClass} min-h-32 resize-y`}
          />
        )}
      </Field>
      <RepoFields draft={draft} set={set} errors={fieldErrors} localRepos={config.localRepos} />
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="w-full sm:w-72">
          <Field label="Model" error={fieldErrors.model}>
            {(control) => (
              <select
                {...control}
                name="model"
                value={draft.model}
                onChange={(event) => set({ model: event.target.value })}
                className={`${controlClass} h-10`}
              >
                {config.models.map((model) => (
                  <option key={model.ref} value={model.ref}>
                    {model.label}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <Button type="submit" variant="primary" size="md" busy={creating} className="w-full sm:mt-6 sm:w-auto">
          Start session
        </Button>
      </div>
      {failure && <ErrorNote message={failure.message} reference={failure.requestId} />}
    </form>
  );
}
