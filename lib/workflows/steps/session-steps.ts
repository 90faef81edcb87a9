import type { Next, RunRef } from "@/lib/db/lease";
import { guarded } from "./guard";

const MANY = 1_000_000;

export async function startPhaseStep(ref: RunRef): Promise<Next> {
  "use step";
  const { runStart } = await import("@/lib/session/start-service");
  return guarded<Next>("startPhaseStep", ref.id, (deps) => runStart(deps, ref));
}
startPhaseStep.maxRetries = MANY;

export async function lifecycleStep(ref: RunRef): Promise<Next> {
  "use step";
  const { runLifecycle } = await import("@/lib/session/lifecycle-service");
  return guarded<Next>("lifecycleStep", ref.id, (deps) => runLifecycle(deps, ref));
}
lifecycleStep.maxRetries = MANY;
