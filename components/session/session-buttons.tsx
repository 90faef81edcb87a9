"use client";

import type { Question } from "@/components/session/session-questions";
import type { SessionActions } from "@/components/session/use-session-actions";
import { Button, type ButtonProps } from "@/components/ui/button";
import type { SandboxView } from "@/lib/sandbox/contract";
import type { SessionView } from "@/lib/session/contract";

interface ButtonsProps {
  readonly session: SessionView;
  readonly sandbox: SandboxView;
  readonly actions: SessionActions;
  /** What ends something asks first. */
  readonly ask: (question: Question) => void;
}

/** What one can do with the session itself. */
export function SessionButtons({ session, sandbox, actions, ask }: ButtonsProps) {
  const { running } = actions;
  return (
    <div className="flex shrink-0 items-center gap-1">
      {session.status === "archived" ? (
        <Button
          variant="primary"
          icon="archive"
          busy={running === "unarchive"}
          disabled={sandbox.state !== "archived" && sandbox.state !== "failed"}
          onClick={() => void actions.unarchive()}
        >
          Unarchive
        </Button>
      ) : (
        <Compact icon="archive" label="Archive" busy={running === "archive"} onClick={() => ask("archive")} />
      )}
      <Compact icon="trash" label="Delete" busy={running === "remove"} onClick={() => ask("remove")} />
    </div>
  );
}

/** The one action that the state of the sandbox offers; its place stays when there is none. */
export function SandboxButton({
  session,
  sandbox,
  startFailed,
  actions,
  ask,
}: ButtonsProps & { readonly startFailed: boolean }) {
  const { state } = sandbox;
  const { running } = actions;
  const archived = session.status === "archived";
  const canResume =
    !archived && (state === "hibernated" || state === "hibernating" || (state === "failed" && !startFailed));
  return (
    <span className="flex shrink-0 justify-end sm:min-w-36 max-sm:ml-auto">
      {canResume && (
        <Button variant="primary" icon="sun" busy={running === "resume"} onClick={() => void actions.resume()}>
          {state === "failed" ? "Try again" : "Resume"}
        </Button>
      )}
      {!archived && state === "active" && (
        <Compact
          icon="moon"
          label="Hibernate now"
          busy={running === "hibernate"}
          onClick={() => (sandbox.busy ? ask("hibernate") : void actions.hibernate(false))}
        />
      )}
    </span>
  );
}

/** The label beside the icon where there is room; on a phone the icon alone, the label for screen readers. */
function Compact({ label, ...rest }: ButtonProps & { label: string }) {
  return (
    <Button variant="ghost" title={label} className="max-sm:aspect-square max-sm:px-0" {...rest}>
      <span className="max-sm:sr-only">{label}</span>
    </Button>
  );
}
