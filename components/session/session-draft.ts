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

export function emptyDraft(model: string, newBranch = ""): SessionDraft {
  return { prompt: "", repoUrl: "", branch: "", onNewBranch: true, newBranch, model };
}

const TEXTS = ["prompt", "repoUrl", "branch", "newBranch", "model"] as const;

/** The text that stands in the fields of the form already; their names are those of the draft. */
export function typedDraft(fields: FormData): Partial<SessionDraft> {
  const typed = TEXTS.map((name) => [name, fields.get(name)] as const).filter(([, value]) => value);
  return Object.fromEntries(typed);
}

/** A draft for the browser's memory. The name of the branch is left out: it is proposed anew for each session. */
export function storeDraft({ newBranch: _, ...draft }: SessionDraft): string {
  return JSON.stringify(draft);
}

/** What was remembered, as far as it still makes sense: only texts, and a model that is still there. */
export function recallDraft(stored: string | null, models: readonly string[]): Partial<SessionDraft> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(stored ?? "null");
  } catch {
    return {};
  }
  if (typeof parsed !== "object" || parsed === null) return {};
  const entries = Object.entries(parsed).filter(
    ([name, value]) =>
      (typeof value === "string" &&
        (["prompt", "repoUrl", "branch"].includes(name) || (name === "model" && models.includes(value)))) ||
      (name === "onNewBranch" && typeof value === "boolean"),
  );
  return Object.fromEntries(entries);
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
