"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { pagePaths } from "@/components/lib/api-paths";
import { newsOf } from "@/components/session/session-news";
import { useSessions } from "@/components/session/use-sessions";
import { notify } from "@/components/ui/toast";
import type { SessionListView, SessionView } from "@/lib/session/contract";

/** Tells when the agent of another session than the one in view is done or asks something. */
export function useSessionNews(currentId: string | null, first: SessionListView): void {
  const { sessions } = useSessions("active", "", first);
  const before = useRef<readonly SessionView[] | null>(null);
  const router = useRouter();
  useEffect(() => {
    if (!sessions) return;
    const news = before.current ? newsOf(before.current, sessions) : [];
    before.current = sessions;
    for (const { session, words } of news) {
      if (session.id === currentId) continue;
      notify({
        title: words,
        text: session.title,
        tone: "info",
        action: {
          label: "Open",
          run: () =>
            router.push(session.chatId ? pagePaths.chat(session.id, session.chatId) : pagePaths.session(session.id)),
        },
      });
    }
  }, [sessions, currentId, router]);
}
