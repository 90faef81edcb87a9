"use client";

import Link, { useLinkStatus } from "next/link";
import { memo } from "react";
import { pagePaths } from "@/components/lib/api-paths";
import { classes } from "@/components/lib/classes";
import { repoLabel } from "@/components/lib/format";
import { StatusChip } from "@/components/session/status-chip";
import { RelativeTime } from "@/components/ui/relative-time";
import { Spinner } from "@/components/ui/spinner";
import type { SessionView } from "@/lib/session/contract";

/** One session of the list. Two lines of fixed height, whatever it says. */
export const SessionRow = memo(function SessionRow({ session, current }: { session: SessionView; current: boolean }) {
  const href = session.chatId ? pagePaths.chat(session.id, session.chatId) : pagePaths.session(session.id);
  return (
    <li>
      <Link
        href={href}
        aria-current={current ? "page" : undefined}
        className={classes(
          "flex flex-col gap-1 rounded-md px-3 py-2 hover:bg-hover focus-visible:-outline-offset-2",
          current && "bg-hover",
        )}
      >
        <span className="flex items-center gap-2">
          <span
            className={classes("min-w-0 flex-1 truncate text-sm", session.unread ? "font-semibold" : "font-medium")}
          >
            {session.title}
          </span>
          {session.unread && <span className="size-2 shrink-0 rounded-full bg-accent" title="New since you looked" />}
          <RowEnd session={session} />
        </span>
        <span className="flex h-6 items-center gap-2 text-xs text-ink-faint">
          <span className="min-w-0 flex-1 truncate">{placeOf(session)}</span>
          <LineCounts session={session} />
          {session.activity === "waiting" ? (
            <span className="font-medium text-warn">Waits for you</span>
          ) : (
            <StatusChip state={session.sandboxState} busy={session.activity === "working"} />
          )}
        </span>
      </Link>
    </li>
  );
});

function RowEnd({ session }: { session: SessionView }) {
  const { pending } = useLinkStatus();
  return (
    <span className="flex h-5 min-w-10 items-center justify-end text-xs whitespace-nowrap text-ink-faint tabular-nums">
      {pending ? <Spinner className="size-3.5" /> : <RelativeTime iso={session.lastActivityAt} />}
    </span>
  );
}

function LineCounts({ session }: { session: SessionView }) {
  if (session.linesAdded === 0 && session.linesRemoved === 0) return null;
  return (
    <span className="flex gap-1 font-mono tabular-nums">
      <span className="text-ok">+{session.linesAdded}</span>
      <span className="text-danger">−{session.linesRemoved}</span>
    </span>
  );
}

function placeOf(session: SessionView): string {
  if (!session.repo) return "Empty workspace";
  const branch = session.repo.branch ?? session.repo.baseBranch;
  return branch ? `${repoLabel(session.repo.url)} · ${branch}` : repoLabel(session.repo.url);
}
