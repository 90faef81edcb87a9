"use client";

import { useState } from "react";
import { LimitsForm } from "@/components/session/limits-form";
import { useChangeLimits, useSessionUsage } from "@/components/session/use-session-usage";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/error-note";
import { Popover } from "@/components/ui/popover";

/** A button that opens the limits of a session right there. */
export function LimitsPopover({ sessionId }: { sessionId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <Popover title="Limits" open={open} onOpenChange={setOpen} trigger={<Button variant="ghost">Change limits</Button>}>
      <LimitsOf sessionId={sessionId} onSaved={() => setOpen(false)} />
    </Popover>
  );
}

function LimitsOf({ sessionId, onSaved }: { sessionId: string; onSaved: () => void }) {
  const { usage, failure } = useSessionUsage(sessionId);
  const change = useChangeLimits(sessionId);
  if (failure) return <ErrorNote message={failure.message} reference={failure.requestId} />;
  if (!usage) return <p className="text-sm text-ink-faint">Loading the limits…</p>;
  return (
    <LimitsForm
      limits={usage.limits}
      onSave={async (changed) => {
        const problem = await change(changed);
        if (!problem) onSaved();
        return problem;
      }}
    />
  );
}
