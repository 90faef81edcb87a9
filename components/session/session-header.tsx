"use client";

import Link from "next/link";
import { useState } from "react";
import { pagePaths } from "@/components/lib/api-paths";
import { repoLabel } from "@/components/lib/format";
import { SandboxButton, SessionButtons } from "@/components/session/session-buttons";
import { type Question, SessionQuestions } from "@/components/session/session-questions";
import { SessionTitle } from "@/components/session/session-title";
import { StatusChip } from "@/components/session/status-chip";
import type { SessionActions } from "@/components/session/use-session-actions";
import { Icon } from "@/components/ui/icon";
import type { SandboxView } from "@/lib/sandbox/contract";
import type { SessionView } from "@/lib/session/contract";

/** What the session is, where its sandbox is, and what one can do with it. Two rows of fixed height. */
export function SessionHeader({
  session,
  sandbox,
  startFailed,
  actions,
}: {
  session: SessionView;
  sandbox: SandboxView;
  /** Then the start itself offers to try again. */
  startFailed: boolean;
  actions: SessionActions;
}) {
  const [question, setQuestion] = useState<Question | null>(null);
  return (
    <header className="border-b border-line bg-surface px-3 py-2 sm:px-4">
      <div className="flex min-h-10 items-center gap-2">
        <Link
          href={pagePaths.home}
          className="-ml-1 grid size-8 shrink-0 place-items-center rounded-md hover:bg-hover lg:hidden pointer-coarse:size-10"
        >
          <Icon name="back" />
          <span className="sr-only">All sessions</span>
        </Link>
        <SessionTitle title={session.title} onRename={actions.rename} />
        <SessionButtons session={session} sandbox={sandbox} actions={actions} ask={setQuestion} />
      </div>
      <div className="flex h-8 items-center gap-2 text-xs text-ink-faint pointer-coarse:h-10">
        <span role="status" className="flex min-w-29 shrink-0">
          <StatusChip state={sandbox.state} busy={sandbox.busy} />
        </span>
        {session.repo && (
          <span className="flex min-w-0 items-center gap-1 truncate" title={session.repo.url}>
            <Icon name="branch" className="size-3.5" />
            <span className="truncate">
              {repoLabel(session.repo.url)}
              {session.repo.branch && ` · ${session.repo.branch}`}
            </span>
          </span>
        )}
        <span className="ml-auto hidden shrink-0 truncate font-mono sm:inline">{session.model}</span>
        <SandboxButton
          session={session}
          sandbox={sandbox}
          startFailed={startFailed}
          actions={actions}
          ask={setQuestion}
        />
      </div>
      <SessionQuestions open={question} onClose={() => setQuestion(null)} busy={sandbox.busy} actions={actions} />
    </header>
  );
}
