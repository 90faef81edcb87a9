"use client";

import { useRouter } from "next/navigation";
import { type RefObject, useRef, useState } from "react";
import { type ApiFailure, callApi } from "@/components/lib/api-client";
import { apiPaths, pagePaths } from "@/components/lib/api-paths";
import { newUuid } from "@/components/lib/new-uuid";
import { type SessionDraft, toCreateBody } from "@/components/session/session-draft";
import { useSessionDraft } from "@/components/session/use-session-draft";
import { useRefreshSessions } from "@/components/session/use-sessions";
import type { ConfigView, CreateSessionView } from "@/lib/session/contract";

/**
 * The form for a new session. The id is made here and kept for the same body, so pressing twice, or once more after a
 * lost answer, makes one session.
 * @param newBranch the name that is proposed for the branch
 */
export function useCreateSession(config: ConfigView, newBranch: string, form: RefObject<HTMLFormElement | null>) {
  const { draft, set, forget } = useSessionDraft(config, newBranch, form);
  const [creating, setCreating] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const attempt = useRef<{ id: string; draft: SessionDraft } | null>(null);
  const refreshSessions = useRefreshSessions();
  const router = useRouter();

  async function submit(): Promise<void> {
    if (creating) return;
    if (attempt.current?.draft !== draft) attempt.current = { id: newUuid(), draft };
    setCreating(true);
    setFailure(null);
    const answer = await callApi<CreateSessionView>(apiPaths.sessions, {
      method: "POST",
      body: toCreateBody(draft, attempt.current.id),
    });
    if (!answer.ok) {
      setFailure(answer.error);
      setCreating(false);
      return;
    }
    forget();
    refreshSessions();
    // The button stays busy until the page of the session replaces the form.
    router.push(pagePaths.chat(answer.value.session.id, answer.value.chat.id));
  }

  const fieldErrors = fieldErrorsOf(failure);
  return {
    draft,
    set,
    submit,
    creating,
    fieldErrors,
    failure: failure && Object.keys(fieldErrors).length === 0 ? failure : null,
  };
}

const FIELDS = ["prompt", "model", "repo.url", "repo.branch", "repo.newBranch"];

/** A 400 or 422 names its field in `details.field`; it is then shown there instead of below the form. */
function fieldErrorsOf(failure: ApiFailure | null): Record<string, string> {
  const field = failure?.details?.field;
  return failure && typeof field === "string" && FIELDS.includes(field) ? { [field]: failure.message } : {};
}
