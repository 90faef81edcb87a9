import type { TurnState, TurnView } from "@/lib/chat/contract";

/** What is worth telling somebody who looks elsewhere: how a turn ended, or that it asks. */
export type TurnNews = "done" | "failed" | "asks";

/** What became of the turn that a page saw last; `stopped` is none, since a person did that. */
export function turnNews(before: TurnView | null, after: TurnView | null, lastEnded: TurnView | null): TurnNews | null {
  if (after?.state === "waiting_for_user") {
    return before?.id === after.id && before.state === "waiting_for_user" ? null : "asks";
  }
  if (!before || before.id === after?.id) return null;
  // A turn that ended while the stream was let go is not told apart: the next one, or none, is all that is known.
  return lastEnded?.id === before.id ? newsOfEnd(lastEnded.state) : "done";
}

function newsOfEnd(state: TurnState): TurnNews | null {
  if (state === "stopped") return null;
  return state === "completed" ? "done" : "failed";
}

const WORDS: Readonly<Record<TurnNews, { readonly mark: string; readonly text: string }>> = {
  done: { mark: "✓", text: "The agent is done." },
  failed: { mark: "!", text: "The turn failed." },
  asks: { mark: "?", text: "The agent waits for your answer." },
};

export function newsWords(news: TurnNews): { mark: string; text: string } {
  return WORDS[news];
}

/** The title of a tab with the mark of its news, or without one. */
export function markTitle(title: string, mark: string | null): string {
  const bare = title.replace(/^\([✓!?]\) /, "");
  return mark === null ? bare : `(${mark}) ${bare}`;
}
