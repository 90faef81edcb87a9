import { type Execution, fence } from "@/lib/db/lease";
import type { Deps } from "@/lib/deps";
import { redact } from "@/lib/kernel/log";
import { isLeaving } from "@/lib/sandbox/lifecycle";
import { findSandbox } from "@/lib/sandbox/store";
import type { StartPhaseName } from "./contract";
import { appendOutput, PHASE_LIMIT_MS } from "./start";
import { findStart, patchStart, type StartRow } from "./start-store";

const SHOW_OUTPUT_EVERY_MS = 400;
const COMMAND_GRACE_MS = 5_000;

/** A signal for the phase: cancelled by a person, past its deadline, or lease lost. */
export function watchCancel(deps: Deps, execution: Execution, task: StartRow, name: StartPhaseName) {
  const controller = new AbortController();
  let cancelled = false;
  const look = async () => {
    const row = await findStart(deps.db, task.id).catch(() => null);
    const sandbox = await findSandbox(deps.db, task.sandboxId).catch(() => null);
    if (row?.cancelRequested || (sandbox && isLeaving(sandbox.wanted))) {
      cancelled = true;
      controller.abort();
    }
  };
  const onLost = () => controller.abort();
  execution.signal.addEventListener("abort", onLost, { once: true });
  const unsubscribe = [
    deps.listener.subscribe("start", task.sessionId, () => void look()),
    deps.listener.subscribe("sandbox", task.sandboxId, () => void look()),
  ];
  const poll = setInterval(() => void look(), 4_000);
  // A command that has the same limit ends by its own and can be told apart.
  const deadline = setTimeout(() => controller.abort(), PHASE_LIMIT_MS[name] + COMMAND_GRACE_MS);
  poll.unref();
  deadline.unref();
  void look();
  return {
    signal: controller.signal,
    cancelled: () => cancelled,
    close() {
      clearInterval(poll);
      clearTimeout(deadline);
      for (const undo of unsubscribe) undo();
      execution.signal.removeEventListener("abort", onLost);
    },
  };
}

/** Writes what a phase says into its row, a few times a second at most. */
export function showOutput(deps: Deps, execution: Execution, task: StartRow, name: StartPhaseName) {
  let phases = task.phases;
  let pending = "";
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  const write = () => {
    timer = null;
    writing = writing.then(async () => {
      if (pending === "") return;
      phases = appendOutput(phases, name, redact(pending));
      pending = "";
      await deps.db
        .transaction(async (tx) => {
          await fence(tx, execution);
          await patchStart(tx, task, { phases });
        })
        .catch(() => {});
    });
  };
  return {
    say(text: string): void {
      pending += text;
      timer ??= setTimeout(write, SHOW_OUTPUT_EVERY_MS);
    },
    async close(): Promise<void> {
      if (timer) clearTimeout(timer);
      write();
      await writing;
    },
  };
}
