import type { StartPhase, StartPhaseName, StartView } from "@/lib/session/contract";

/** The phases of a start in a person's words (design.md, section 4). */
export const PHASE_LABEL: Record<StartPhaseName, string> = {
  WORKING: "Taking the request",
  WAITING_FOR_SANDBOX: "Starting the sandbox",
  PREPARING_REPOSITORY: "Preparing the repository",
  RUNNING_SETUP_SCRIPT: "Running the setup script",
  SETTING_UP_GIT_HOOKS: "Setting up git hooks",
  SETTING_UP_SKILLS: "Finding skills",
  STARTING_CONVERSATION: "Starting the conversation",
};

/** How long a phase has taken or takes, in milliseconds; null before it began. */
export function elapsedMs(phase: StartPhase, now: number): number | null {
  if (!phase.startedAt) return null;
  return Math.max(0, (phase.endedAt ? Date.parse(phase.endedAt) : now) - Date.parse(phase.startedAt));
}

/** The phase whose output is worth reading: the one that runs or failed, else the last that said something. */
export function phaseInView(start: StartView): StartPhase | null {
  return (
    start.phases.find((phase) => phase.state === "running" || phase.state === "failed") ??
    start.phases.findLast((phase) => phase.output !== "") ??
    null
  );
}

/** The whole start in one line. */
export function startSummary(start: StartView, now: number): string {
  if (start.status === "ERROR") return "The start failed";
  const times = start.phases.map((phase) => elapsedMs(phase, now) ?? 0);
  const seconds = (times.reduce((sum, ms) => sum + ms, 0) / 1_000).toFixed(0);
  if (start.status === "READY") return `Started in ${seconds} s`;
  if (start.queuePosition !== undefined && start.queuePosition > 0) return `In line, place ${start.queuePosition}`;
  return PHASE_LABEL[start.status];
}
