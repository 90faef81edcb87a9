import { type Next, waitMs } from "@/lib/db/lease";
import type { Deps } from "@/lib/deps";
import { callSites, errorText } from "@/lib/kernel/log";
import { requireRuntime } from "@/lib/runtime";

/** Pause after an unexpected error, in milliseconds; the row's own counters decide when to give up. */
const AFTER_ERROR_MS = 2_000;

/**
 * Runs the service call of a step. It never throws: a throw would use up the engine's attempts, and leases decide here
 * (design.md, section 2, rule 3). What was not expected is logged and tried again after a pause.
 */
export async function guarded<N extends { readonly do: string }>(
  step: string,
  id: string,
  call: (deps: Deps) => Promise<N | Next>,
): Promise<N | Next> {
  const deps = requireRuntime();
  try {
    return await call(deps);
  } catch (error) {
    deps.log.error("step failed unexpectedly", {
      step,
      id,
      error: errorText(error instanceof Error && error.cause instanceof Error ? error.cause : error),
      at: callSites(error),
    });
    return waitMs(AFTER_ERROR_MS);
  }
}
