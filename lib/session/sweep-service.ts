import type { Deps } from "@/lib/deps";
import { errorText } from "@/lib/kernel/log";
import type { SandboxState } from "@/lib/sandbox/contract";
import { reportLost } from "@/lib/sandbox/service";
import { findSandbox, listOwnSandboxes, type OwnSandbox, providerId } from "@/lib/sandbox/store";

/**
 * Compares what the provider has with what the rows say: an active sandbox that does not run is lost and comes back, one that
 * runs although its row says failed or hibernated is stopped, and what no row or an archived one stands for is an orphan and goes
 * (properties.md, I4, I8, I9).
 */
export async function sweepProvider(deps: Deps): Promise<void> {
  const existing = await deps.provider.list();
  const rows = await listOwnSandboxes(deps.db, deps.provider.name, deps.hostId);
  const byProviderId = new Map(rows.map((row) => [providerId(row), row]));
  const running = new Set(existing.filter((peek) => peek.state === "running").map((peek) => peek.id));
  for (const [id, row] of byProviderId) {
    if (row.state === "active" && !running.has(id)) await lookAgain(deps, id, row);
    else if (RESTS.has(row.state) && running.has(id) && (await isStill(deps, row)))
      await quietly(deps, "hibernate", id, () => deps.provider.hibernate(id));
  }
  for (const { id } of existing) {
    const row = byProviderId.get(id);
    if (!row || (row.state === "archived" && (await isStill(deps, row))))
      await quietly(deps, "destroy orphan", id, () => deps.provider.destroy(id));
  }
}

/** States in which nothing runs; an operation that came late can have left something. */
const RESTS: ReadonlySet<SandboxState> = new Set(["failed", "hibernated"]);

/** It may have come up after the list was made. */
async function lookAgain(deps: Deps, id: string, row: OwnSandbox): Promise<void> {
  const peek = await deps.provider.peek(id).catch(() => null);
  if (peek && peek.state !== "running") await reportLost(deps, row);
}

async function isStill(deps: Deps, seen: OwnSandbox): Promise<boolean> {
  return (await findSandbox(deps.db, seen.id))?.version === seen.version;
}

async function quietly(deps: Deps, what: string, id: string, action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
    deps.log.info("sweep", { what, id });
  } catch (error) {
    deps.log.warn("sweep could not act", { what, id, error: errorText(error) });
  }
}
