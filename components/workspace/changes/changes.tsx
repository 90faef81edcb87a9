"use client";

import { lazy, Suspense } from "react";
import type { ApiFailure } from "@/components/lib/api-client";
import { patiently } from "@/components/lib/patiently";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorNote } from "@/components/ui/error-note";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { ViewOptions } from "@/components/workspace/changes/file-rows";
import type { DiffScope } from "@/components/workspace/use-diff";
import type { DiffView, SandboxState } from "@/lib/sandbox/contract";

/** Comes apart from the page, which has no use for it before there is a diff. */
const ChangeTree = lazy(
  patiently(() => import("@/components/workspace/changes/change-list").then((made) => ({ default: made.ChangeTree }))),
);

/** A diff, or why there is none. */
export function Changes({
  diff,
  failure,
  scope,
  state,
  options,
  open,
}: {
  diff: DiffView | undefined;
  failure: ApiFailure | null;
  scope: DiffScope;
  state: SandboxState;
  options: ViewOptions;
  open: { readonly isOpen: (path: string) => boolean; readonly set: (path: string, open: boolean) => void };
}) {
  if (!diff) {
    return (
      <div className="p-3">
        {failure ? <ErrorNote message={failure.message} reference={failure.requestId} /> : <Waiting />}
      </div>
    );
  }
  if (diff.files.length === 0) return <NothingHere scope={scope} state={state} />;
  return (
    <>
      {failure && (
        <p role="alert" className="border-b border-line bg-danger-soft px-3 py-1.5 text-xs text-danger">
          Not up to date: {failure.message}
        </p>
      )}
      <Suspense
        fallback={
          <div className="p-3">
            <Waiting />
          </div>
        }
      >
        <ChangeTree files={diff.files} options={options} open={open} />
      </Suspense>
    </>
  );
}

function Waiting() {
  return <SkeletonRows count={4} className="h-8" />;
}

function NothingHere({ scope, state }: { scope: DiffScope; state: SandboxState }) {
  if (state === "provisioning")
    return (
      <EmptyState icon="branch" title="No changes yet">
        The sandbox is being made. What the agent changes will be listed here.
      </EmptyState>
    );
  if (scope === "uncommitted")
    return (
      <EmptyState icon="commit" title="Everything is committed">
        What has changed since the session began is under All.
      </EmptyState>
    );
  return (
    <EmptyState icon="branch" title="Nothing has changed">
      Files that the agent or you change are listed here, line by line.
    </EmptyState>
  );
}
