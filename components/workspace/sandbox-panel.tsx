"use client";

import type { ReactNode } from "react";
import { formatBytes, formatDistance, formatDuration } from "@/components/lib/format";
import { useNow } from "@/components/lib/now";
import { SANDBOX_WORDS } from "@/components/session/sandbox-words";
import { SessionUsage } from "@/components/session/session-usage";
import { TransitionsList } from "@/components/session/transitions-list";
import { ErrorNote } from "@/components/ui/error-note";
import { RelativeTime } from "@/components/ui/relative-time";
import type { SandboxView } from "@/lib/sandbox/contract";
import type { StartView } from "@/lib/session/contract";

/** What is known of the sandbox: its state, when it will sleep, what it sleeps on, what was used, and how it got here. */
export function SandboxPanel({
  sessionId,
  sandbox,
  start,
}: {
  sessionId: string;
  sandbox: SandboxView;
  start: StartView;
}) {
  const now = useNow(30_000);
  return (
    <div className="scroll-area flex min-h-0 flex-1 flex-col gap-5 p-3">
      {sandbox.error && <ErrorNote message={sandbox.error.message} reference={sandbox.error.referenceId} />}
      <dl className="grid grid-cols-[4.25rem_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
        <Fact name="State">
          {SANDBOX_WORDS[sandbox.state].label}, <RelativeTime iso={sandbox.since} />
          {sandbox.reason && <span className="block text-ink-faint">{sandbox.reason}</span>}
        </Fact>
        <Fact name="Sleeps">
          {sandbox.hibernateAt
            ? `in ${formatDistance(Date.parse(sandbox.hibernateAt) - now)} if nothing happens`
            : sandbox.busy
              ? "not while the agent works"
              : "—"}
          <span className="block text-ink-faint">
            after {formatDuration(sandbox.idleTimeoutSeconds * 1_000)} without work
          </span>
        </Fact>
        <Fact name="Snapshot">
          {sandbox.snapshot ? (
            <>
              {formatBytes(sandbox.snapshot.sizeBytes)}, <RelativeTime iso={sandbox.snapshot.at} />
            </>
          ) : (
            "none"
          )}
        </Fact>
        <Fact name="Ports">
          {sandbox.ports.length === 0
            ? "none"
            : sandbox.ports.map((port) => (
                <span key={port.port} className="block truncate font-mono text-xs" title={port.command}>
                  {port.port} {port.command}
                </span>
              ))}
        </Fact>
        <Fact name="Skills">
          {start.skills.length === 0
            ? "none"
            : start.skills.map((skill) => (
                <span key={skill.path} className="block truncate" title={skill.path}>
                  {skill.name} <span className="text-ink-faint">{skill.source}</span>
                  {skill.problem && <span className="block whitespace-normal text-danger">{skill.problem}</span>}
                </span>
              ))}
        </Fact>
      </dl>
      <section aria-labelledby="usage-heading">
        <h3 id="usage-heading" className="mb-1 text-sm font-semibold">
          Usage
        </h3>
        <SessionUsage sessionId={sessionId} canChange={sandbox.state !== "archived"} />
      </section>
      <section aria-labelledby="history-heading">
        <h3 id="history-heading" className="mb-1 text-sm font-semibold">
          History
        </h3>
        <TransitionsList sessionId={sessionId} version={sandbox.version} />
      </section>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-faint">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}
