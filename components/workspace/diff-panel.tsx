"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import { Changes } from "@/components/workspace/changes/changes";
import { CommitForm } from "@/components/workspace/changes/commit-form";
import { useDiffLook } from "@/components/workspace/changes/use-diff-look";
import { useOpenPaths } from "@/components/workspace/changes/use-open-paths";
import { ViewMenu } from "@/components/workspace/changes/view-menu";
import { StatusLine } from "@/components/workspace/status-line";
import { type DiffScope, useDiff, useGit } from "@/components/workspace/use-diff";
import { whyNot } from "@/components/workspace/workspace-words";
import type { DiffView, SandboxView } from "@/lib/sandbox/contract";
import type { SessionView } from "@/lib/session/contract";

const NO_FILES: DiffView["files"] = [];

/** What the session has changed: everything since it began, or what is not committed yet; and the way to commit and push it. */
export function DiffPanel({ session, sandbox }: { session: SessionView; sandbox: SandboxView }) {
  const [scope, setScope] = useState<DiffScope>("all");
  const { diff, failure, isLoading, refresh } = useDiff(session.id, scope, sandbox.version);
  const { git, refresh: refreshGit } = useGit(session.id, sandbox.version);
  const look = useDiffLook();
  const open = useOpenPaths(diff?.files ?? NO_FILES);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-center justify-between gap-2 border-b border-line px-1">
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
        <span className="flex items-center">
          <ViewMenu look={look} onOpenAll={open.setAll} />
          <Button
            variant="ghost"
            icon="refresh"
            iconOnly
            busy={isLoading && diff !== undefined}
            onClick={() => {
              refresh();
              refreshGit();
            }}
          >
            Refresh
          </Button>
        </span>
      </div>
      <StatusLine sessionId={session.id} state={sandbox.state} panel="changes" takenAt={diff?.takenAt}>
        {diff && <Totals diff={diff} />}
      </StatusLine>
      <TabPanel base="diff" id={scope} className="flex min-h-0 flex-1 flex-col">
        <Changes diff={diff} failure={failure} scope={scope} state={sandbox.state} options={look.options} open={open} />
      </TabPanel>
      {session.status !== "archived" && (
        <CommitForm sessionId={session.id} git={git} blocked={whyNot(sandbox, "commit")} />
      )}
    </div>
  );
}

function Totals({ diff }: { diff: DiffView }) {
  const sum = (of: "additions" | "deletions") => diff.files.reduce((total, file) => total + file[of], 0);
  return (
    <>
      {diff.files.length === 1 ? "1 file changed" : `${diff.files.length} files changed`}
      <span className="ml-2 font-mono tabular-nums">
        <span className="text-ok">+{sum("additions")}</span> <span className="text-danger">−{sum("deletions")}</span>
      </span>
    </>
  );
}
