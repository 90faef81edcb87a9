import { START_PHASES, type StartPhase, type StartPhaseName, type StartStatus } from "./contract";

/** Output that is kept of a phase: the newest 16 kB. */
const OUTPUT_CHARS = 16_000;

/** How long a phase may take, in milliseconds; the setup script as design.md, section 4 says. */
export const PHASE_LIMIT_MS: Readonly<Record<StartPhaseName, number>> = {
  WORKING: 30_000,
  WAITING_FOR_SANDBOX: 180_000,
  PREPARING_REPOSITORY: 15 * 60_000,
  RUNNING_SETUP_SCRIPT: 600_000,
  SETTING_UP_GIT_HOOKS: 60_000,
  SETTING_UP_SKILLS: 60_000,
  STARTING_CONVERSATION: 120_000,
};

/** The phases of a new start, all pending. `usualMs` are medians of earlier starts. */
export function newPhases(usualMs: Partial<Record<StartPhaseName, number>> = {}): StartPhase[] {
  return START_PHASES.map((name) => ({
    name,
    state: "pending",
    startedAt: null,
    endedAt: null,
    detail: null,
    output: "",
    deadlineAt: null,
    usualMs: usualMs[name] ?? null,
  }));
}

function change(phases: readonly StartPhase[], name: StartPhaseName, patch: Partial<StartPhase>): StartPhase[] {
  return phases.map((phase) => (phase.name === name ? { ...phase, ...patch } : phase));
}

/** Begins a phase, or begins it again after a crash: the first start time stays. */
export function beginPhase(phases: readonly StartPhase[], name: StartPhaseName, now: Date): StartPhase[] {
  const startedAt = phases.find((phase) => phase.name === name)?.startedAt ?? now.toISOString();
  return change(phases, name, {
    state: "running",
    startedAt,
    endedAt: null,
    deadlineAt: new Date(now.getTime() + PHASE_LIMIT_MS[name]).toISOString(),
  });
}

export function endPhase(
  phases: readonly StartPhase[],
  name: StartPhaseName,
  state: "done" | "skipped" | "failed",
  detail: string | null,
  now: Date,
): StartPhase[] {
  return change(phases, name, { state, endedAt: now.toISOString(), detail, deadlineAt: null });
}

/**
 * Puts a failed phase back in line for a retry; phases before it stay done, except the one that brings the sandbox up: nothing of
 * a failed sandbox runs, so it has to be brought up again.
 */
export function reopenPhases(phases: readonly StartPhase[]): StartPhase[] {
  return phases.map((phase) =>
    phase.state === "failed" || phase.state === "running" || phase.name === "WAITING_FOR_SANDBOX"
      ? { ...phase, state: "pending", startedAt: null, endedAt: null, detail: null, output: "", deadlineAt: null }
      : phase,
  );
}

/** Lets everything after a phase be done again: the sandbox is a new one, and empty. */
export function redoAfter(phases: readonly StartPhase[], name: StartPhaseName): StartPhase[] {
  const at = START_PHASES.indexOf(name);
  const fresh = newPhases();
  return phases.map((phase, index) => (index > at ? { ...(fresh[index] ?? phase), usualMs: phase.usualMs } : phase));
}

export function appendOutput(phases: readonly StartPhase[], name: StartPhaseName, text: string): StartPhase[] {
  const before = phases.find((phase) => phase.name === name)?.output ?? "";
  return change(phases, name, { output: clipOutput(before + text) });
}

/** Keeps the newest part; a line that a progress bar overwrote is kept only as it was last. */
export function clipOutput(text: string): string {
  const settled = text
    .split("\n")
    .map((line) => line.slice(line.lastIndexOf("\r", line.length - 2) + 1))
    .join("\n")
    .replaceAll("\0", "");
  return settled.length > OUTPUT_CHARS ? settled.slice(-OUTPUT_CHARS) : settled;
}

/** The first phase that is not over, or null when all are. */
export function currentPhase(phases: readonly StartPhase[]): StartPhaseName | null {
  return (
    phases.find((phase) => phase.state === "pending" || phase.state === "running" || phase.state === "failed")?.name ??
    null
  );
}

export function isStartOpen(status: StartStatus): boolean {
  return status !== "READY" && status !== "ERROR";
}

/** Median of durations per phase, in milliseconds, over finished starts. */
export function usualDurations(history: readonly (readonly StartPhase[])[]): Partial<Record<StartPhaseName, number>> {
  const usual: Partial<Record<StartPhaseName, number>> = {};
  for (const name of START_PHASES) {
    const durations = history
      .flatMap((phases) => phases.filter((phase) => phase.name === name && phase.state === "done"))
      .map((phase) =>
        phase.startedAt && phase.endedAt ? Date.parse(phase.endedAt) - Date.parse(phase.startedAt) : Number.NaN,
      )
      .filter((ms) => Number.isFinite(ms))
      .sort((a, b) => a - b);
    const middle = durations[Math.floor(durations.length / 2)];
    if (middle !== undefined) usual[name] = middle;
  }
  return usual;
}
