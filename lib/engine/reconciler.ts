import { start } from "workflow/api";
import { sweepLostCalls } from "@/lib/chat/lost-calls";
import type { DrivenTable, RunRef } from "@/lib/db/lease";
import type { Deps } from "@/lib/deps";
import { crashPoint } from "@/lib/kernel/crash-points";
import { errorText } from "@/lib/kernel/log";
import { pause } from "@/lib/kernel/retry";
import { sweepProvider } from "@/lib/session/sweep-service";
import { lifecycleWorkflow } from "@/lib/workflows/lifecycle";
import { startWorkflow } from "@/lib/workflows/start";
import { turnWorkflow } from "@/lib/workflows/turn";
import { assignWork } from "./assign-work";
import { unassign } from "./open-work";
import { beat, releaseDead } from "./process";

const EVERY_MS = 5_000;
/** Hints that come within it are answered by one pass. */
const AT_MOST_EVERY_MS = 20;
const DEAD_EVERY_MS = 1_000;
const BEAT_EVERY_MS = 10_000;
const SWEEP_EVERY_MS = 15_000;
const LOST_CALLS_EVERY_MS = 5 * 60_000;

export interface Reconciler {
  /** Takes no new work. */
  stop(): Promise<void>;
}

/**
 * The only starter of runs (design.md, section 2, rule 2): starts what is open and free, and re-drives what is overdue or whose
 * process died. Woken by hints, at boot, and every 5 s; the path after a crash is the normal path.
 */
export function startReconciler(deps: Deps): Reconciler {
  let stopped = false;
  let again = false;
  let working: Promise<void> | null = null;
  const last = { beat: 0, dead: 0, sweep: 0, lostCalls: 0 };

  function wake(): void {
    again = true;
    if (stopped || working) return;
    working = (async () => {
      while (again && !stopped) {
        again = false;
        await pass(deps, last).catch((error: unknown) =>
          deps.log.warn("reconciler could not finish a pass", { error: errorText(error) }),
        );
        await pause(AT_MOST_EVERY_MS);
      }
    })().finally(() => {
      working = null;
      if (again && !stopped) wake();
    });
  }

  const unsubscribe = deps.listener.subscribeAll((topic) => {
    if (topic !== "chat") wake();
  });
  const timer = setInterval(wake, EVERY_MS);
  wake();
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      unsubscribe();
      await working;
    },
  };
}

async function pass(deps: Deps, last: { beat: number; dead: number; sweep: number; lostCalls: number }): Promise<void> {
  const due = (name: keyof typeof last, everyMs: number): boolean => {
    if (performance.now() - last[name] < everyMs && last[name] !== 0) return false;
    last[name] = performance.now();
    return true;
  };
  if (due("beat", BEAT_EVERY_MS)) await beat(deps.db, deps.owner, deps.hostId);
  if (due("dead", DEAD_EVERY_MS)) await releaseDead(deps.db, deps.hostId);
  const work = await assignWork(deps);
  await startAll(deps, "start_tasks", work.start_tasks, (ref) => start(startWorkflow, [ref]));
  await startAll(deps, "sandboxes", work.sandboxes, (ref) => start(lifecycleWorkflow, [ref]));
  await startAll(deps, "turns", work.turns, (ref) => start(turnWorkflow, [ref]));
  if (due("sweep", SWEEP_EVERY_MS))
    void sweepProvider(deps).catch((error: unknown) => deps.log.warn("sweep failed", { error: errorText(error) }));
  if (due("lostCalls", LOST_CALLS_EVERY_MS)) void sweepLostCalls(deps);
}

async function startAll(
  deps: Deps,
  table: DrivenTable,
  refs: readonly RunRef[],
  begin: (ref: RunRef) => Promise<unknown>,
): Promise<void> {
  if (refs.length > 0) crashPoint("engine.after-assign");
  await Promise.all(
    refs.map(async (ref) => {
      try {
        await begin(ref);
      } catch (error) {
        deps.log.warn("a run could not be started", { table, id: ref.id, error: errorText(error) });
        await unassign(deps.db, table, ref);
      }
    }),
  );
}
