"use client";

import { lazy, Suspense } from "react";
import { patiently } from "@/components/lib/patiently";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { SandboxView } from "@/lib/sandbox/contract";
import type { SessionView } from "@/lib/session/contract";

const Files = lazy(
  patiently(() => import("@/components/workspace/files/files").then((made) => ({ default: made.Files }))),
);

/** The files of the workspace; their code comes when they are first looked at. */
export function FilesPanel(props: { session: SessionView; sandbox: SandboxView }) {
  return (
    <Suspense
      fallback={
        <div className="p-3">
          <SkeletonRows count={6} className="h-6" />
        </div>
      }
    >
      <Files {...props} />
    </Suspense>
  );
}
