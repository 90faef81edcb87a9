import type { SessionView } from "@/lib/session/contract";

interface News {
  readonly session: SessionView;
  readonly words: string;
}

/** What happened between two looks at the list that a person would want to know. */
export function newsOf(before: readonly SessionView[], now: readonly SessionView[]): News[] {
  const earlier = new Map(before.map((session) => [session.id, session]));
  return now.flatMap((session) => {
    const was = earlier.get(session.id);
    if (!was) return [];
    if (session.sandboxState === "failed" && was.sandboxState !== "failed") return [{ session, words: "It failed" }];
    if (session.activity === "waiting" && was.activity !== "waiting") {
      return [{ session, words: "The agent asks you something" }];
    }
    // Work that began and ended between two looks shows by what is new only.
    const ended = session.activity === "idle" && (was.activity === "working" || (session.unread && !was.unread));
    return ended ? [{ session, words: "The agent is done" }] : [];
  });
}
