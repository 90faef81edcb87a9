import type { Pool } from "pg";
import type { Deps } from "./deps";
import type { EngineQueue } from "./engine/queue";

/** What a process has once it is up. */
export interface Runtime extends Deps {
  readonly pool: Pool;
  readonly queue: EngineQueue;
  /** True from the first SIGTERM on: no new work, reads still answer. */
  draining: boolean;
}

const KEY = Symbol.for("dormouse.runtime");

/**
 * The composition root's one value, on `globalThis`: pages, routes, steps and instrumentation are separate bundles in Next, so
 * module-level singletons would double (design.md, section 9).
 */
export function setRuntime(runtime: Runtime): void {
  (globalThis as Record<symbol, unknown>)[KEY] = runtime;
}

export function findRuntime(): Runtime | null {
  return ((globalThis as Record<symbol, unknown>)[KEY] as Runtime | undefined) ?? null;
}

/** @throws before the process is up, which only the health routes can see */
export function requireRuntime(): Runtime {
  const runtime = findRuntime();
  if (!runtime) throw new Error("Dormouse is not up yet");
  return runtime;
}
