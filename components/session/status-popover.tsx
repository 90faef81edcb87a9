"use client";

import { formatBytes, formatDuration } from "@/components/lib/format";
import { useNow } from "@/components/lib/now";
import { reasonWords, resumeWords, stateDetail } from "@/components/session/sandbox-words";
import { StatusChip } from "@/components/session/status-chip";
import { TransitionsList } from "@/components/session/transitions-list";
import { ErrorNote } from "@/components/ui/error-note";
import { Popover } from "@/components/ui/popover";
import { RelativeTime } from "@/components/ui/relative-time";
import type { SandboxView } from "@/lib/sandbox/contract";

/** The state of the sandbox; a press tells why it is so, when it will change, what is kept, and how it got here. */
export function StatusPopover({ sessionId, sandbox }: { sessionId: string; sandbox: SandboxView }) {
  return (
    <Popover
      title="Sandbox"
      trigger={
        <button type="button" title="What the sandbox does" className="w-full rounded-full pointer-coarse:py-2">
          <StatusChip state={sandbox.state} busy={sandbox.busy} />
        </button>
      }
    >
      <StatusDetails sessionId={sessionId} sandbox={sandbox} />
    </Popover>
  );
}

function StatusDetails({ sessionId, sandbox }: { sessionId: string; sandbox: SandboxView }) {
  const now = useNow(15_000);
  return (
    <div className="flex flex-col gap-3 text-sm">
      {sandbox.error ? (
        <ErrorNote message={sandbox.error.message} reference={sandbox.error.referenceId} />
      ) : (
        <p>
          {stateDetail(sandbox, now)}.{sandbox.reason && ` ${reasonWords(sandbox.reason)}.`}
        </p>
      )}
      {sandbox.state === "hibernated" && <p className="text-ink-soft">{resumeWords(sandbox)}</p>}
      <p className="text-xs text-ink-faint">
        Changed <RelativeTime iso={sandbox.since} suffix=" ago" />. Sleeps after{" "}
        {formatDuration(sandbox.idleTimeoutSeconds * 1_000)} without work.
        {sandbox.snapshot && ` Newest snapshot: ${formatBytes(sandbox.snapshot.sizeBytes)}.`}
      </p>
      <section aria-label="How it got here" className="border-t border-line pt-2">
        <TransitionsList sessionId={sessionId} version={sandbox.version} />
      </section>
    </div>
  );
}
