"use client";

import { useState } from "react";
import { classes } from "@/components/lib/classes";
import { formatDuration } from "@/components/lib/format";
import { useNow } from "@/components/lib/now";
import { elapsedMs, PHASE_LABEL, phaseInView, startSummary } from "@/components/session/phase-words";
import { StartOutput } from "@/components/session/start-output";
import type { SessionActions } from "@/components/session/use-session-actions";
import { isStartOver } from "@/components/session/use-start";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/error-note";
import { Icon, type IconName } from "@/components/ui/icon";
import { Spinner } from "@/components/ui/spinner";
import type { StartPhase, StartView } from "@/lib/session/contract";

/**
 * How the session came to life. It stands open while that goes on, and stays as the person left it when it is done, so
 * that the chat below does not move by itself.
 */
export function StartPhases({ start, actions }: { start: StartView; actions: SessionActions }) {
  const over = isStartOver(start);
  const now = useNow(over ? null : 1_000);
  const [open, setOpen] = useState(start.status !== "READY");
  return (
    <section aria-label="Start of the session" className="rounded-lg border border-line bg-surface">
      <h2>
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex min-h-10 w-full items-center gap-2 rounded-lg px-3 text-left text-sm font-medium text-ink-soft"
        >
          <StartIcon start={start} />
          <span role="status" className="flex-1">
            {startSummary(start, now)}
          </span>
          <Icon name="chevron" className={classes("size-4 text-ink-faint", open && "rotate-90")} />
        </button>
      </h2>
      {open && (
        <div className="flex flex-col gap-3 border-t border-line p-3">
          <ol className="flex flex-col">
            {start.phases.map((phase) => (
              <PhaseRow key={phase.name} phase={phase} now={now} />
            ))}
          </ol>
          <StartOutput phase={phaseInView(start)} />
          {start.status === "ERROR" && (
            <ErrorNote
              message={start.error?.message ?? "The session could not be started."}
              reference={start.error?.referenceId}
            >
              {start.error?.retryable !== false && (
                <>
                  <p className="w-full text-ink-soft">{retryWords(start)}</p>
                  <Button
                    icon="refresh"
                    busy={actions.running === "retryStart"}
                    onClick={() => void actions.retryStart()}
                  >
                    Retry
                  </Button>
                </>
              )}
            </ErrorNote>
          )}
          {!over && (
            <div className="flex justify-end">
              <Button busy={actions.running === "cancelStart"} onClick={() => void actions.cancelStart()}>
                Cancel start
              </Button>
            </div>
          )}
        </div>
      )}
    </section>
  );
}

/** Says where a retry begins: what is done stays done. */
function retryWords(start: StartView): string {
  const failed = start.phases.find((phase) => phase.state === "failed");
  return failed ? `Retry goes on from “${PHASE_LABEL[failed.name]}”; what is done stays.` : "Retry begins anew.";
}

function PhaseRow({ phase, now }: { phase: StartPhase; now: number }) {
  const elapsed = elapsedMs(phase, now);
  const usual = phase.usualMs !== null && phase.usualMs >= 1_000 ? formatDuration(phase.usualMs) : null;
  return (
    <li className="flex min-h-7 items-center gap-2 text-sm">
      <PhaseIcon phase={phase} />
      <span className={phase.state === "pending" || phase.state === "skipped" ? "text-ink-faint" : "text-ink"}>
        {PHASE_LABEL[phase.name]}
      </span>
      <span className="min-w-0 flex-1 truncate text-xs text-ink-faint" title={phase.detail ?? undefined}>
        {phase.detail}
      </span>
      <span className="shrink-0 text-xs text-ink-faint tabular-nums">
        {phase.state === "skipped" ? "skipped" : elapsed === null ? "" : formatDuration(elapsed)}
        {usual !== null && phase.state === "running" && ` of about ${usual}`}
        {usual !== null && phase.state === "pending" && `about ${usual}`}
      </span>
    </li>
  );
}

const PHASE_ICON: Record<Exclude<StartPhase["state"], "running">, { icon: IconName; tone: string; label: string }> = {
  pending: { icon: "dot", tone: "text-ink-faint", label: "To come" },
  done: { icon: "check", tone: "text-ok", label: "Done" },
  skipped: { icon: "dash", tone: "text-ink-faint", label: "Skipped" },
  failed: { icon: "cross", tone: "text-danger", label: "Failed" },
};

function PhaseIcon({ phase }: { phase: StartPhase }) {
  const { icon, tone, label } =
    phase.state === "running" ? { icon: null, tone: "text-busy", label: "Running" } : PHASE_ICON[phase.state];
  return (
    <span className={tone}>
      {icon ? <Icon name={icon} /> : <Spinner />}
      <span className="sr-only">{label}: </span>
    </span>
  );
}

function StartIcon({ start }: { start: StartView }) {
  if (start.status === "ERROR") return <Icon name="alert" className="size-4 text-danger" />;
  if (start.status === "READY") return <Icon name="check" className="size-4 text-ok" />;
  return <Spinner className="size-4 text-busy" />;
}
