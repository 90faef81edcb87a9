"use client";

import type { SessionActions } from "@/components/session/use-session-actions";
import { ConfirmDialog } from "@/components/ui/dialog";

/** What is asked before it is done. */
export type Question = "archive" | "remove" | "hibernate";

/** The questions of a session; at most one of them is open. */
export function SessionQuestions({
  open,
  onClose,
  busy,
  actions,
}: {
  open: Question | null;
  onClose: () => void;
  /** Whether the agent is at work. */
  busy: boolean;
  actions: SessionActions;
}) {
  const answer = (action: () => Promise<boolean>) => void action().then(onClose);
  return (
    <>
      <ConfirmDialog
        open={open === "remove"}
        onClose={onClose}
        onConfirm={() => answer(actions.remove)}
        busy={actions.running === "remove"}
        title="Delete this session?"
        confirmLabel="Delete"
        danger
      >
        The conversation, the sandbox and everything in it that was not pushed are deleted for good.
      </ConfirmDialog>
      <ConfirmDialog
        open={open === "archive"}
        onClose={onClose}
        onConfirm={() => answer(actions.archive)}
        busy={actions.running === "archive"}
        title="Archive this session?"
        confirmLabel="Archive"
      >
        {busy && "The agent is at work and will be stopped. "}
        The conversation, the diff and the work are kept; the sandbox is freed. Unarchive brings it back.
      </ConfirmDialog>
      <ConfirmDialog
        open={open === "hibernate"}
        onClose={onClose}
        onConfirm={() => answer(() => actions.hibernate(true))}
        busy={actions.running === "hibernate"}
        title="Stop the agent and hibernate?"
        confirmLabel="Stop and hibernate"
      >
        The agent is at work. What it has written so far is kept.
      </ConfirmDialog>
    </>
  );
}
