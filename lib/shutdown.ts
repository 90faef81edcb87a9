import { dbNow } from "@/lib/db/time";
import type { Engine } from "@/lib/engine/engine";
import { retire } from "@/lib/engine/process";
import { errorText } from "@/lib/kernel/log";
import { pause } from "@/lib/kernel/retry";
import type { Runtime } from "@/lib/runtime";
import { isLeaving } from "@/lib/sandbox/lifecycle";
import { listOwnSandboxes, lockSandbox, providerId, readFacts, transition } from "@/lib/sandbox/store";

const SEAL_MS = 9_000;
const LET_STEPS_END_MS = 8_000;

/**
 * Ctrl-C (SIGINT) seals the sandboxes within 10 s; SIGTERM leaves them running for the next process (design.md, section 7). In
 * both cases nothing new is claimed, and what was held is let go, so that a successor takes over without waiting.
 */
export function installShutdown(runtime: Runtime, engine: Engine): void {
  let ending = false;
  const end = (seal: boolean) => {
    if (ending) return;
    ending = true;
    void (async () => {
      runtime.draining = true;
      runtime.log.info("shutting down", { seal });
      await Promise.race([engine.stop(), pause(2_000)]);
      if (seal)
        await sealAll(runtime).catch((error: unknown) =>
          runtime.log.error("sandboxes could not be sealed", { error: errorText(error) }),
        );
      else await letStepsEnd(runtime);
      await retire(runtime.db, runtime.owner).catch(() => {});
      await Promise.race([runtime.provider.close(), pause(1_000)]).catch(() => {});
      process.exit(0);
    })();
  };
  process.on("SIGINT", () => end(true));
  process.on("SIGTERM", () => end(false));
}

async function letStepsEnd(runtime: Runtime): Promise<void> {
  const began = performance.now();
  while (runtime.queue.running() > 0 && performance.now() - began < LET_STEPS_END_MS) await pause(100);
}

/** Seals every active sandbox of this host; one with work to do is wanted awake, and comes back with the next start. */
async function sealAll(runtime: Runtime): Promise<void> {
  const rows = (await listOwnSandboxes(runtime.db, runtime.provider.name, runtime.hostId)).filter(
    (row) => row.state === "active",
  );
  await runtime.provider.sealAll(SEAL_MS);
  for (const seen of rows) {
    const peek = await runtime.provider.peek(providerId(seen)).catch(() => null);
    if (peek?.state !== "hibernated" || !peek.snapshot) continue;
    const { id, at, sizeBytes } = peek.snapshot;
    await runtime.db.transaction(async (tx) => {
      const row = await lockSandbox(tx, seen.id);
      if (row?.state !== "active" || isLeaving(row.wanted)) return;
      const { busy } = await readFacts(tx, row.id);
      const wanted = busy ? "awake" : "asleep";
      const falling = await transition(tx, row, "fall_asleep", "Dormouse was stopped", {
        wanted,
        wantedReason: "shutdown",
      });
      if (!falling) return;
      await transition(tx, falling, "sealed", "Dormouse was stopped", {
        snapshot: { id, at: at.toISOString(), sizeBytes },
        slot: false,
        queuedAt: busy ? dbNow : null,
      });
    });
  }
}
