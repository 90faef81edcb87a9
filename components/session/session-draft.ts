import type { CreateSessionBody } from "@/lib/session/contract";

/** What stands in the form for a new session. */
export interface SessionDraft {
  readonly prompt: string;
  readonly repoUrl: string;
  readonly branch: string;
  readonly onNewBranch: boolean;
  /** Empty: the server names it. */
  readonly newBranch: string;
  readonly model: string;
}

export function emptyDraft(model: string): SessionDraft {
  return { prompt: "", repoUrl: "", branch: "", onNewBranch: true, newBranch: "", model };
}

/** The text that stands in the fields of the form already; their names are those of the draft. */
export function typedDraft(fields: FormData): Partial<SessionDraft> {
  const names = ["prompt", "repoUrl", "branch", "newBranch", "model"] as const;
  const typed = names.map((name) => [name, fields.get(name)] as const).filter(([, value]) => value);
  return Object.fromEntries(typed);
}

/** The body of the call: empty fields are left out, and branches without a repository mean nothing. */
export function toCreateBody(draft: SessionDraft, id: string): CreateSessionBody {
  const url = draft.repoUrl.trim();
  const branch = draft.branch.trim();
  return {
    id,
    model: draft.model,
    ...(draft.prompt.trim() ? { prompt: draft.prompt } : {}),
    ...(url
      ? {
          repo: {
            url,
            ...(branch ? { branch } : {}),
            ...(draft.onNewBranch ? { newBranch: draft.newBranch.trim() || true } : {}),
          },
        }
      : {}),
  };
}
