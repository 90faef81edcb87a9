"use client";

import type { ReactNode } from "react";
import { classes } from "@/components/lib/classes";
import { useSessionActions } from "@/components/session/use-session-actions";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import { type StateNote, stateNote } from "@/components/workspace/workspace-words";
import type { SandboxState } from "@/lib/sandbox/contract";

const TONE: Record<StateNote["tone"], string> = { calm: "text-ink-soft", busy: "text-busy", danger: "text-danger" };

/**
 * One line on top of a panel that always keeps its place: what is shown, whether it is how things are or how they were, and
 * what can be done about it.
 */
export function StatusLine({
  sessionId,
  state,
  panel,
  takenAt,
  children,
}: {
  sessionId: string;
  state: SandboxState;
  panel: "changes" | "files";
  /** When what is shown was taken; only said of what is not live. */
  takenAt: string | undefined;
  /** What is said while the sandbox is awake. */
  children: ReactNode;
}) {
  const actions = useSessionActions(sessionId);
  const note = stateNote(state, panel);
  const { failure } = actions;
  return (
    <div className="flex min-h-10 items-center gap-2 border-b border-line px-3 py-1 text-xs text-ink-soft">
      <div className={classes("min-w-0 flex-1", note && TONE[note.tone])}>
        {failure ? (
          <span role="alert" className="text-danger">
            {failure.message}
          </span>
        ) : (
          (note?.text ?? children)
        )}
        {note && takenAt && state !== "provisioning" && (
          <span className="text-ink-faint">
            {" · "}
            <RelativeTime iso={takenAt} suffix=" ago" />
          </span>
        )}
      </div>
      {note?.action === "resume" && (
        <Button busy={actions.running === "resume"} onClick={() => void actions.resume()}>
          Resume sandbox
        </Button>
      )}
    </div>
  );
}
