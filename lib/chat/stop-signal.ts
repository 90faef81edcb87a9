import { LEASE_LOST } from "@/lib/agent/tool";
import type { Execution } from "@/lib/db/lease";
import { POLL_FALLBACK_MS } from "@/lib/db/listen";
import type { Deps } from "@/lib/deps";
import { findTurn } from "./turn-store";

/**
 * A signal that fires when the person stops the turn, or with the reason `LEASE_LOST` when the execution loses its lease.
 * The flag on the row is the truth; the hint only makes it quick (design.md, section 5: within two seconds).
 */
export function watchStop(deps: Deps, execution: Execution): { readonly signal: AbortSignal; close(): void } {
  const controller = new AbortController();
  const look = async () => {
    const turn = await findTurn(deps.db, execution.id).catch(() => null);
    if (turn?.stopRequested) controller.abort();
  };
  const onLost = () => controller.abort(LEASE_LOST);
  if (execution.signal.aborted) onLost();
  execution.signal.addEventListener("abort", onLost, { once: true });
  const unsubscribe = deps.listener.subscribe("turn", execution.id, () => void look());
  const timer = setInterval(() => void look(), POLL_FALLBACK_MS / 4);
  timer.unref();
  void look();
  return {
    signal: controller.signal,
    close() {
      clearInterval(timer);
      unsubscribe();
      execution.signal.removeEventListener("abort", onLost);
    },
  };
}
