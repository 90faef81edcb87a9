"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { RenameChat } from "@/components/chat/rename-chat";
import { useChatActions } from "@/components/chat/use-chat-actions";
import { pagePaths } from "@/components/lib/api-paths";
import { classes } from "@/components/lib/classes";
import type { SessionActions } from "@/components/session/use-session-actions";
import { useShortcut } from "@/components/shell/shortcuts";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { Menu, MenuItem } from "@/components/ui/menu";
import { FailureToast } from "@/components/ui/toast";
import type { ChatView } from "@/lib/chat/contract";

/** The chats of the session, which share its sandbox: switch, add, rename, delete. */
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
  const router = useRouter();
  const at = chats.findIndex((chat) => chat.id === currentId);
  const current = chats[at];
  const [asking, setAsking] = useState<"rename" | "delete" | null>(null);
  const mine = useChatActions(current, chats);

  const go = (step: number) => {
    const next = chats[(at + step + chats.length) % chats.length];
    if (!next || next.id === currentId) return false;
    router.push(pagePaths.chat(next.sessionId, next.id));
  };
  useShortcut("newChat", canAdd ? () => void actions.newChat() : null);
  useShortcut("previousChat", () => go(-1));
  useShortcut("nextChat", () => go(1));

  return (
    <nav aria-label="Chats" className="flex min-h-10 items-center gap-1 border-b border-line px-2 sm:px-3">
      <ul className="scroll-area relative flex min-w-0 flex-1 gap-1">
        {chats.map((chat) => (
          <ChatLink key={chat.id} chat={chat} current={chat.id === currentId} />
        ))}
      </ul>
      {current && canAdd && (
        <Menu
          trigger={
            <Button variant="ghost" icon="more" iconOnly title="This chat">
              This chat
            </Button>
          }
        >
          <MenuItem icon="pencil" onSelect={() => setAsking("rename")}>
            Rename
          </MenuItem>
          <MenuItem icon="trash" danger disabled={chats.length < 2} onSelect={() => setAsking("delete")}>
            {chats.length < 2 ? "Delete (the last chat stays)" : "Delete"}
          </MenuItem>
        </Menu>
      )}
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
      {current && (
        <>
          <RenameChat
            open={asking === "rename"}
            title={current.title}
            onClose={() => setAsking(null)}
            onRename={mine.rename}
          />
          <ConfirmDialog
            open={asking === "delete"}
            onClose={() => setAsking(null)}
            onConfirm={() => void mine.remove().then(() => setAsking(null))}
            title={`Delete “${current.title}”?`}
            confirmLabel="Delete chat"
            danger
            busy={mine.removing}
          >
            Its messages are gone for good; a turn that runs in it has to be stopped first. The files of the session
            stay.
          </ConfirmDialog>
        </>
      )}
      {mine.failure && (
        <FailureToast message={mine.failure.message} reference={mine.failure.requestId} onDismiss={mine.dismiss} />
      )}
    </nav>
  );
}

function ChatLink({ chat, current }: { chat: ChatView; current: boolean }) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // On a phone the chat in view may be beside the screen.
    if (current) link.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current]);
  const state = chatState(chat, current);
  return (
    <li className="shrink-0">
      <Link
        ref={link}
        href={pagePaths.chat(chat.sessionId, chat.id)}
        aria-current={current ? "page" : undefined}
        className={classes(
          "flex min-h-8 max-w-48 items-center gap-1.5 rounded-md px-2 text-sm focus-visible:-outline-offset-2 pointer-coarse:min-h-10",
          current ? "bg-hover font-medium" : "text-ink-soft hover:bg-hover",
        )}
      >
        <bdi className="truncate" title={chat.title}>
          {chat.title}
        </bdi>
        {state && (
          <span className={classes("size-2 shrink-0 rounded-full", state.tone)}>
            <span className="sr-only">{state.words}</span>
          </span>
        )}
      </Link>
    </li>
  );
}

/** What is going on in a chat that is not in view. */
function chatState(chat: ChatView, current: boolean): { words: string; tone: string } | null {
  if (current) return null;
  if (chat.activeTurn?.state === "waiting_for_user") return { words: "asks", tone: "bg-warn" };
  if (chat.activeTurn) return { words: "works", tone: "animate-pulse-soft bg-busy" };
  return chat.unread ? { words: "unread", tone: "bg-accent" } : null;
}
