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
    if (was.activity !== "working") return [];
    if (session.activity === "waiting") return [{ session, words: "The agent asks you something" }];
    return session.activity === "idle" ? [{ session, words: "The agent is done" }] : [];
  });
}
