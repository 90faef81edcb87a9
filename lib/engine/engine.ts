import { setWorld } from "workflow/runtime";
import { errorText } from "@/lib/kernel/log";
import { pause } from "@/lib/kernel/retry";
import type { Runtime } from "@/lib/runtime";
import { ENGINE_HEADER, engineKey } from "./engine-key";
import { type Reconciler, startReconciler } from "./reconciler";
import { createWorld } from "./world";

export interface Engine {
  /** Takes no new work; what runs goes on until it ends or the process does. */
  stop(): Promise<void>;
}

/** Puts our World in place, loads the SDK's two routes, and starts the reconciler. */
export function startEngine(runtime: Runtime): Engine {
  setWorld(createWorld(runtime.queue));
  let reconciler: Reconciler | null = null;
  const started = loadRoutes(runtime).then(() => {
    reconciler = startReconciler(runtime);
  });
  return {
    async stop() {
      runtime.queue.drain();
      await Promise.race([started, pause(1_000)]);
      await reconciler?.stop();
    },
  };
}

/**
 * Next loads a route's bundle at its first request, and the SDK registers its handlers when the bundle is loaded. So each route is
 * asked once over loopback; afterwards deliveries are plain calls.
 */
async function loadRoutes({ env, queue, log }: Runtime): Promise<void> {
  const host =
    env.host === "0.0.0.0"
      ? "127.0.0.1"
      : env.host === "::"
        ? "[::1]"
        : env.host.includes(":")
          ? `[${env.host}]`
          : env.host;
  for (let tries = 1; !queue.ready(); tries++) {
    for (const route of ["flow", "step"]) {
      try {
        await fetch(`http://${host}:${env.port}/.well-known/workflow/v1/${route}`, {
          method: "POST",
          headers: { [ENGINE_HEADER]: engineKey() },
          signal: AbortSignal.timeout(20_000),
        });
      } catch (error) {
        if (tries % 20 === 0) log.warn("the engine's routes are not loaded yet", { error: errorText(error) });
      }
    }
    await pause(queue.ready() ? 0 : 100);
  }
}
