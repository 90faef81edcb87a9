"use client";

import { repoLabel } from "@/components/lib/format";
import { useNow } from "@/components/lib/now";
import { stateDetail } from "@/components/session/sandbox-words";
import { SessionMenu, StateButton } from "@/components/session/session-buttons";
import { SessionTitle } from "@/components/session/session-title";
import { StatusPopover } from "@/components/session/status-popover";
import type { SessionActions } from "@/components/session/use-session-actions";
import { SessionsButton } from "@/components/shell/sessions-button";
import { Icon } from "@/components/ui/icon";
import type { SandboxView } from "@/lib/sandbox/contract";
import type { SessionView } from "@/lib/session/contract";

/** What the session is, where its sandbox is, and what one can do with it. Its height never changes. */
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
  const now = useNow(15_000);
  const detail = stateDetail(sandbox, now);
  return (
    <header className="flex shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-surface px-2 py-2 sm:px-4">
      <SessionsButton />
      <div className="flex min-w-0 flex-1 basis-40 flex-col">
        <SessionTitle title={session.title} onRename={actions.rename} />
        <SessionPlace session={session} />
      </div>
      <div className="flex items-center gap-2 max-sm:order-last max-sm:h-10 max-sm:w-full max-sm:pl-1">
        <span
          title={detail}
          className="min-w-0 truncate text-xs text-ink-faint max-sm:order-1 max-sm:flex-1 sm:w-48 sm:text-right sm:max-lg:hidden"
        >
          {detail}
        </span>
        <span role="status" className="flex w-31 shrink-0">
          <StatusPopover sessionId={session.id} sandbox={sandbox} />
        </span>
        <span className="flex min-w-29 shrink-0 justify-end max-sm:order-2">
          <StateButton session={session} sandbox={sandbox} startFailed={startFailed} actions={actions} />
        </span>
      </div>
      <SessionMenu session={session} actions={actions} />
    </header>
  );
}

/** Where the work happens, in one line. */
function SessionPlace({ session }: { session: SessionView }) {
  const { repo } = session;
  return (
    <p className="flex h-5 min-w-0 items-center gap-3 text-xs text-ink-faint">
      {repo ? (
        <>
          <bdi className="min-w-0 truncate" title={repo.url}>
            {repoLabel(repo.url)}
          </bdi>
          {repo.branch && (
            <span className="flex min-w-0 items-center gap-1">
              <Icon name="branch" className="size-3.5" />
              <bdi className="truncate" title={repo.branch}>
                {repo.branch}
              </bdi>
            </span>
          )}
        </>
      ) : (
        <span className="truncate">Empty workspace</span>
      )}
    </p>
  );
}
