"use client";

import Link from "next/link";
import { useParams, useSelectedLayoutSegment } from "next/navigation";
import type { ReactNode } from "react";
import { pagePaths } from "@/components/lib/api-paths";
import { classes } from "@/components/lib/classes";
import { SessionList } from "@/components/session/session-list";
import { BrandMark } from "@/components/shell/brand";
import { ShortcutListener } from "@/components/shell/shortcuts";
import { Icon } from "@/components/ui/icon";
import { Toaster } from "@/components/ui/toast";
import { TooltipProvider } from "@/components/ui/tooltip";
import type { SessionListView } from "@/lib/session/contract";

/**
 * The frame of every signed-in page. Wide: the list at the left, the page at the right. Narrow: the start page has the
 * list below the form, and a session has the whole screen.
 */
export function AppShell({
  userName,
  sessions,
  children,
}: {
  userName: string;
  sessions: SessionListView;
  children: ReactNode;
}) {
  const inSession = useSelectedLayoutSegment() !== null;
  const { sessionId } = useParams<{ sessionId?: string }>();
  return (
    <TooltipProvider>
      <ShortcutListener />
      <Toaster />
      <div
        className={classes(
          "flex flex-col lg:grid lg:h-dvh lg:grid-cols-[18rem_minmax(0,1fr)] lg:grid-rows-[minmax(0,1fr)]",
          inSession ? "h-dvh" : "min-h-dvh",
        )}
      >
        {!inSession && (
          <div className="flex items-center justify-between gap-2 border-b border-line bg-surface px-4 py-3 lg:hidden">
            <Brand />
            <span className="truncate text-sm text-ink-faint">{userName}</span>
          </div>
        )}
        <main
          className={classes(
            "flex min-w-0 flex-col lg:col-start-2 lg:row-start-1 lg:min-h-0",
            inSession && "min-h-0 flex-1",
          )}
        >
          {children}
        </main>
        <div
          className={classes(
            "flex min-h-0 flex-col border-line bg-surface pt-3 lg:col-start-1 lg:row-start-1 lg:border-r",
            inSession ? "max-lg:hidden" : "max-lg:flex-1 max-lg:border-t",
          )}
        >
          <div className="flex items-center justify-between gap-2 px-4 pb-3 max-lg:hidden">
            <Brand />
            <Link
              href={pagePaths.home}
              className="inline-flex min-h-8 items-center gap-1 rounded-md px-2 text-sm font-medium text-ink-soft hover:bg-hover hover:text-ink"
            >
              <Icon name="plus" /> New
            </Link>
          </div>
          <SessionList first={sessions} currentId={sessionId ?? null} />
          <p className="truncate border-t border-line px-4 py-2.5 text-xs text-ink-faint max-lg:hidden">
            Signed in as {userName}
          </p>
        </div>
      </div>
    </TooltipProvider>
  );
}

function Brand() {
  return (
    <Link href={pagePaths.home} className="flex items-center gap-2 rounded-md font-semibold">
      <BrandMark />
      Dormouse
    </Link>
  );
}
