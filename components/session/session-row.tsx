"use client";

import Link, { useLinkStatus } from "next/link";
import { memo } from "react";
import { pagePaths } from "@/components/lib/api-paths";
import { classes } from "@/components/lib/classes";
import { SANDBOX_WORDS } from "@/components/session/sandbox-words";
import { SessionRowMenu } from "@/components/session/session-row-menu";
import { TONE_TEXT, type Tone } from "@/components/ui/chip";
import { RelativeTime } from "@/components/ui/relative-time";
import type { SessionView } from "@/lib/session/contract";

/** One session of the list. Two lines of fixed height, whatever it says; its menu stands over its end. */
export const SessionRow = memo(function SessionRow({ session, current }: { session: SessionView; current: boolean }) {
  const href = session.chatId ? pagePaths.chat(session.id, session.chatId) : pagePaths.session(session.id);
  const { words, tone, pulsing } = rowState(session);
  return (
    <li className="group relative">
      <Link
        href={href}
        prefetch={false}
        aria-current={current ? "page" : undefined}
        className={classes(
          "flex gap-2.5 rounded-md px-2.5 py-1.5 hover:bg-hover focus-visible:-outline-offset-2",
          current && "bg-hover",
        )}
      >
        <span
          className={classes(
            "mt-1.5 size-2 shrink-0 rounded-full bg-current",
            TONE_TEXT[tone],
            pulsing && "animate-pulse-soft",
          )}
        />
        <span className="min-w-0 flex-1">
          <span className="flex items-center gap-2 pr-7">
            <bdi className={classes("min-w-0 truncate text-sm", session.unread ? "font-semibold" : "font-medium")}>
              {session.title}
            </bdi>
            {session.unread && (
              <span className="size-2 shrink-0 rounded-full bg-accent" title="New since you looked">
                <span className="sr-only">New since you looked</span>
              </span>
            )}
          </span>
          <span className="flex h-5 items-center gap-2 text-xs text-ink-faint">
            <span className={classes("shrink-0", session.activity === "waiting" && "font-medium text-warn")}>
              {words}
            </span>
            {session.repo?.branch && <bdi className="min-w-0 truncate">{session.repo.branch}</bdi>}
            <LineCounts session={session} />
            <RowTime session={session} />
          </span>
        </span>
      </Link>
      <SessionRowMenu session={session} />
    </li>
  );
});

/** What the dot says, in words too. */
function rowState(session: SessionView): { words: string; tone: Tone; pulsing: boolean } {
  const { label, tone, passing } = SANDBOX_WORDS[session.sandboxState];
  if (session.activity === "waiting") return { words: "Waits for you", tone: "warn", pulsing: false };
  if (session.activity === "working" && session.sandboxState === "active") {
    return { words: "Working", tone: "accent", pulsing: true };
  }
  return { words: label, tone, pulsing: passing };
}

function RowTime({ session }: { session: SessionView }) {
  const { pending } = useLinkStatus();
  return (
    <span className="ml-auto shrink-0 whitespace-nowrap tabular-nums">
      {pending ? "Opening…" : <RelativeTime iso={session.lastActivityAt} />}
    </span>
  );
}

function LineCounts({ session }: { session: SessionView }) {
  if (session.linesAdded === 0 && session.linesRemoved === 0) return null;
  return (
    <span className="flex shrink-0 gap-1 font-mono tabular-nums">
      <span className="text-ok">+{session.linesAdded}</span>
      <span className="text-danger">−{session.linesRemoved}</span>
    </span>
  );
}
