import { runModelTurnStep } from "@/lib/chat/model-step";
import { runToolTurnStep } from "@/lib/chat/tool-step";
import { claimTurn, finishTurn, type TurnNext } from "@/lib/chat/turn-service";
import { type DrivenTable, type RunRef, waitMs } from "@/lib/db/lease";
import type { Deps } from "@/lib/deps";
import { assignWork } from "@/lib/engine/assign-work";
import { errorText } from "@/lib/kernel/log";
import { pause } from "@/lib/kernel/retry";
import { refreshFacts } from "@/lib/sandbox/facts";
import { makeInstructions } from "@/lib/session/instructions";
import { runLifecycle } from "@/lib/session/lifecycle-service";
import { runStart } from "@/lib/session/start-service";
import { sweepProvider } from "@/lib/session/sweep-service";

interface Run {
  readonly table: DrivenTable;
  readonly ref: RunRef;
  next: TurnNext;
  /** When its sleep is over, by `performance.now()`. */
  dueAt: number;
  busy: boolean;
}

/** Sleeps that are longer than this are for idle sandboxes and retries: a settled world may have them. */
const LONG_SLEEP_MS = 1_500;
/** A sandbox that could not be sealed is tried again after this at the latest. */
const LONGEST_RETRY_MS = 16 * 60_000;

/**
 * Stands for the workflow engine in tests: lets the reconciler's own queries decide what runs, and calls the steps of the three
 * workflows in their order. `crash` forgets all runs in the middle of whatever they do.
 */
export class Driver {
  readonly #deps: Deps & { query(text: string, values?: readonly unknown[]): Promise<unknown> };
  #runs: Run[] = [];
  #life = 0;
  readonly #inFlight = new Set<Promise<void>>();

  constructor(deps: Deps & { query(text: string, values?: readonly unknown[]): Promise<unknown> }) {
    this.#deps = deps;
  }

  /** One pass of the reconciler. Answers how many runs it started. */
  async reconcile(): Promise<number> {
    let started = 0;
    for (const [table, refs] of Object.entries(await assignWork(this.#deps)) as [DrivenTable, readonly RunRef[]][]) {
      for (const ref of refs) {
        this.#runs.push({ table, ref, next: { do: "again" }, dueAt: 0, busy: false });
        started += 1;
      }
    }
    return started;
  }

  /** Reconciles and begins every step that is due, without waiting for it. */
  async pump(): Promise<boolean> {
    const started = await this.reconcile();
    const due = this.#runs.filter((run) => !run.busy && run.dueAt <= performance.now());
    for (const run of due) {
      const step = this.#step(run, this.#life).finally(() => this.#inFlight.delete(step));
      this.#inFlight.add(step);
    }
    return started > 0 || due.length > 0;
  }

  /** Pumps until `done`, or until nothing is to be done any more. @throws after `timeoutMs` */
  async settle(done?: () => Promise<boolean>, timeoutMs = 60_000): Promise<void> {
    const until = performance.now() + timeoutMs;
    for (let quiet = 0; ; ) {
      const moved = await this.pump();
      const soon = this.#runs.some((run) => run.busy || run.dueAt < performance.now() + LONG_SLEEP_MS);
      if (done ? await done() : quiet > 1) return;
      quiet = moved || soon ? 0 : quiet + 1;
      if (performance.now() > until) throw new Error(`the world did not settle: ${JSON.stringify(this.#runs)}`);
      await pause(10);
    }
  }

  /** The process dies: what runs is cut off from its rows, and the next process takes over. Sandboxes live on. */
  async crash(): Promise<void> {
    this.#life += 1;
    this.#runs = [];
    for (const table of ["turns", "start_tasks", "sandboxes"]) {
      await this.#deps.query(`UPDATE ${table} SET exec = NULL, exec_owner = NULL, lease_until = NULL,
        run_id = NULL, run_owner = NULL, run_until = NULL, run_sleeps_until = NULL`);
    }
  }

  /** Time passes: pauses between tries are over. Longer sleeps, until a sandbox is idle, go on. */
  async hurry(): Promise<void> {
    for (const table of ["sandboxes", "turns"]) await this.#deps.query(`UPDATE ${table} SET retry_at = NULL`);
    for (const run of this.#runs) if (run.next.do === "wait" && run.next.ms < LONGEST_RETRY_MS) run.dueAt = 0;
  }

  /** Waits until no step is under way, not even one of a process that has died. */
  async drain(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight);
  }

  sweep(): Promise<void> {
    return sweepProvider(this.#deps);
  }

  async #step(run: Run, life: number): Promise<void> {
    run.busy = true;
    try {
      run.next = await this.#call(run);
    } catch (error) {
      if (life === this.#life) this.#deps.log.error("step failed unexpectedly", { error: errorText(error) });
      run.next = waitMs(100);
    }
    run.busy = false;
    run.dueAt = run.next.do === "wait" ? performance.now() + run.next.ms : 0;
    if (run.next.do === "end") this.#runs = this.#runs.filter((other) => other !== run);
  }

  #call({ table, ref, next }: Run): Promise<TurnNext> {
    const deps = this.#deps;
    if (table === "start_tasks") return runStart(deps, ref);
    if (table === "sandboxes") return runLifecycle(deps, ref);
    if (next.do === "model") return runModelTurnStep(deps, ref, (turn) => makeInstructions(deps, turn));
    if (next.do === "tools") return runToolTurnStep(deps, ref);
    if (next.do === "finish") return finishTurn(deps, ref, (turn) => refreshFacts(deps, turn.sandboxId));
    return claimTurn(deps, ref);
  }
}
