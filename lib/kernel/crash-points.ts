import { readFileSync } from "node:fs";

/**
 * Places where a process may die in the middle of a use case. `npm test` starts the app with
 * `DORMOUSE_CRASH_AT=<name>[:<nth>]`, which kills it there with SIGKILL; the next start must converge.
 * The list is closed so that the crash tests can run every point and fail when one cannot be reached.
 */
export const CRASH_POINTS = [
  "create.before-commit",
  "create.after-commit",
  "message.before-commit",
  "message.after-commit",
  "start.after-claim",
  "start.after-sandbox",
  "start.mid-clone",
  "start.after-clone",
  "start.after-setup",
  "start.before-ready",
  "start.after-ready",
  "turn.after-claim",
  "turn.mid-stream",
  "turn.before-step-commit",
  "turn.after-step-commit",
  "turn.mid-tool",
  "turn.before-tool-commit",
  "turn.after-tool-commit",
  "turn.before-finish",
  "turn.after-finish",
  "hibernate.after-intent",
  "hibernate.before-seal",
  "hibernate.after-seal",
  "restore.after-intent",
  "restore.after-boot",
  "archive.after-intent",
  "archive.after-keep",
  "archive.after-destroy",
  "delete.after-intent",
  "delete.before-rows",
  "engine.after-assign",
] as const;
export type CrashPoint = (typeof CRASH_POINTS)[number];

const passes = new Map<string, number>();

/** Dies here if the environment names this point (for the nth pass, 1 by default); otherwise does nothing. */
export function crashPoint(name: CrashPoint): void {
  const wanted = readWanted();
  if (!wanted) return;
  const [point, nth] = wanted.split(":");
  if (point !== name) return;
  const count = (passes.get(wanted) ?? 0) + 1;
  passes.set(wanted, count);
  if (count >= Number(nth ?? "1")) process.kill(process.pid, "SIGKILL");
}

/** `@/path/of/a/file`: the file says it, so that a point can be armed while the process runs. */
function readWanted(): string | null {
  const setting = process.env.DORMOUSE_CRASH_AT;
  if (!setting?.startsWith("@")) return setting ?? null;
  try {
    return readFileSync(setting.slice(1), "utf8").trim();
  } catch {
    return null;
  }
}
