"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorNote } from "@/components/ui/error-note";
import { RelativeTime } from "@/components/ui/relative-time";
import { SkeletonRows } from "@/components/ui/skeleton";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import { CommitForm } from "@/components/workspace/commit-form";
import { DiffFile } from "@/components/workspace/diff-file";
import { type DiffScope, useDiff } from "@/components/workspace/use-diff";
import type { SandboxState, SandboxView } from "@/lib/sandbox/contract";
import type { SessionView } from "@/lib/session/contract";

const OPEN_AT_FIRST = 3;
const ASLEEP: ReadonlySet<SandboxState> = new Set(["hibernating", "hibernated", "archiving", "archived"]);

/** What the session has changed: everything since it began, or what is not committed yet. */
export function DiffPanel({ session, sandbox }: { session: SessionView; sandbox: SandboxView }) {
  const [scope, setScope] = useState<DiffScope>("all");
  const { diff, failure, isLoading, refresh } = useDiff(session.id, scope, sandbox.version);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-center justify-between gap-2 border-b border-line px-3">
        <Tabs
          base="diff"
          label="Which changes"
          className="border-b-0"
          value={scope}
          onChange={setScope}
          items={[
            { id: "all", label: "All" },
            { id: "uncommitted", label: "Uncommitted" },
          ]}
        />
        <span className="flex items-center gap-1 text-xs text-ink-faint">
          {diff?.kept && ASLEEP.has(sandbox.state) && (
            <span>
              kept <RelativeTime iso={diff.takenAt} suffix=" ago" />
            </span>
          )}
          <Button variant="ghost" icon="refresh" iconOnly busy={isLoading} onClick={refresh}>
            Refresh
          </Button>
        </span>
      </div>
      <TabPanel base="diff" id={scope} className="scroll-area min-h-0 flex-1">
        {failure && (
          <div className="p-3">
            <ErrorNote message={failure.message} reference={failure.requestId} />
          </div>
        )}
        {!diff && !failure && (
          <div className="p-3">
            <SkeletonRows count={4} className="h-9" />
          </div>
        )}
        {diff?.files.length === 0 && (
          <EmptyState icon="branch" title={scope === "all" ? "Nothing has changed" : "Everything is committed"} />
        )}
        {diff && diff.files.length > 0 && (
          <ul>
            {diff.files.map((file) => (
              <DiffFile key={`${scope}:${file.path}`} file={file} startOpen={diff.files.length <= OPEN_AT_FIRST} />
            ))}
          </ul>
        )}
      </TabPanel>
      {session.status !== "archived" && (
        <CommitForm sessionId={session.id} canPush={session.repo !== null} blocked={whyBlocked(sandbox)} />
      )}
    </div>
  );
}

function whyBlocked(sandbox: SandboxView): string | null {
  if (ASLEEP.has(sandbox.state)) return "Resume the sandbox to commit.";
  if (sandbox.state !== "active") return "This is possible when the sandbox is ready.";
  return sandbox.busy ? "Wait until the agent has finished." : null;
}
