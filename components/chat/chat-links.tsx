"use client";

import Link from "next/link";
import { pagePaths } from "@/components/lib/api-paths";
import { classes } from "@/components/lib/classes";
import type { SessionActions } from "@/components/session/use-session-actions";
import { Button } from "@/components/ui/button";
import type { ChatView } from "@/lib/chat/contract";

/** The chats of the session, which share its sandbox, and the way to one more. */
export function ChatLinks({
  chats,
  currentId,
  actions,
  canAdd,
}: {
  chats: readonly ChatView[];
  currentId: string;
  actions: SessionActions;
  canAdd: boolean;
}) {
  return (
    <nav aria-label="Chats" className="flex min-h-10 items-center gap-1 border-b border-line px-2 sm:px-3">
      <ul className="scroll-area flex min-w-0 flex-1 gap-1">
        {chats.map((chat) => (
          <li key={chat.id} className="shrink-0">
            <Link
              href={pagePaths.chat(chat.sessionId, chat.id)}
              aria-current={chat.id === currentId ? "page" : undefined}
              className={classes(
                "flex min-h-8 max-w-48 items-center gap-1.5 rounded-md px-2 text-sm focus-visible:-outline-offset-2",
                chat.id === currentId ? "bg-hover font-medium" : "text-ink-soft hover:bg-hover",
              )}
            >
              <span className="truncate">{chat.title}</span>
              {chat.unread && chat.id !== currentId && <span className="size-2 shrink-0 rounded-full bg-accent" />}
            </Link>
          </li>
        ))}
      </ul>
      {canAdd && (
        <Button
          variant="ghost"
          icon="plus"
          iconOnly
          title="New chat"
          busy={actions.running === "newChat"}
          onClick={() => void actions.newChat()}
        >
          New chat
        </Button>
      )}
    </nav>
  );
}
