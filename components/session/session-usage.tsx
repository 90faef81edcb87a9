"use client";

import { useConfig } from "@/components/lib/use-config";
import { LimitsPopover } from "@/components/session/limits-popover";
import { UsageFacts } from "@/components/session/usage-facts";
import { useSessionUsage } from "@/components/session/use-session-usage";
import { ErrorNote } from "@/components/ui/error-note";

/** What a session has used, and a way to change its limits. */
export function SessionUsage({ sessionId, canChange }: { sessionId: string; canChange: boolean }) {
  const { usage, failure } = useSessionUsage(sessionId);
  const models = useConfig()?.models ?? [];
  if (failure) return <ErrorNote message={failure.message} reference={failure.requestId} />;
  if (!usage) return <p className="min-h-36 text-sm text-ink-faint">Loading what was used…</p>;
  return (
    <UsageFacts usage={usage} models={models}>
      {canChange && <LimitsPopover sessionId={sessionId} />}
    </UsageFacts>
  );
}
