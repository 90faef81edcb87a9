import { readdir } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { callAgent } from "./agent-calls";
import { isRunning, killMarked, stop } from "./boot";
import type { LocalContext } from "./context";
import { removeTree } from "./disk";
import type { KeyedLock } from "./keyed-lock";
import { emptyTrash, hibernateSandbox } from "./lifecycle";
import { breakSeal, hasIntent, readState } from "./records";

const PING_TIMEOUT_MS = 5_000;

/**
 * Puts right what a crash left: half-made sandboxes are removed, half-destroyed ones destroyed, half-hibernated ones
 * hibernated, live ones adopted with their egress served again, and processes and groups that no record names are killed.
 * Trouble with one sandbox is logged and does not hold up the others.
 */
export async function recoverSandboxes(context: LocalContext, lock: KeyedLock): Promise<void> {
  const { layout, host } = context;
  const attempt = async (what: string, operation: () => Promise<unknown>) => {
    await operation().catch((error: unknown) => context.log(`recovery: ${what}: ${String(error)}`));
  };
  for (const name of await readdir(layout.nursery)) {
    await attempt(`half-made ${name}`, () => removeTree(host, path.join(layout.nursery, name)));
  }
  for (const name of await readdir(layout.trash))
    await attempt(`half-destroyed ${name}`, () => emptyTrash(context, name));
  const adopted = new Map<string, string>();
  const ids = await readdir(layout.sandboxes);
  await Promise.all(
    ids.map((id) =>
      attempt(id, () =>
        lock.run(id, async () => {
          const bootId = await recoverOne(context, id);
          if (bootId) adopted.set(id, bootId);
        }),
      ),
    ),
  );
  const orphans = await killMarked(layout.tag, ({ id, bootId }) => adopted.get(id) !== bootId);
  if (orphans > 0) context.log(`recovery: ended ${orphans} orphaned processes`);
  const groups = new Set([...adopted].map(([id, bootId]) => `${id}.${bootId}`));
  for (const name of await host.cgroups.list()) {
    if (groups.has(name)) continue;
    await host.cgroups.kill(name);
    await host.cgroups.remove(name);
  }
}

/** The boot that was adopted, or null when the sandbox does not run afterwards. */
async function recoverOne(context: LocalContext, id: string): Promise<string | null> {
  const paths = context.layout.sandbox(id);
  const state = await readState(paths);
  if (!state) return null;
  if (await hasIntent(paths)) {
    await hibernateSandbox(context, id);
    return null;
  }
  const answers = (await isRunning(state)) && (await pings(paths.run));
  if (!answers || !state.boot) {
    await stop(context, paths, state);
    return null;
  }
  await context.egress.serve(context.host, paths, id, state.spec.network);
  await breakSeal(paths);
  return state.boot.bootId;
}

/** Process 1 outlives an agent that was killed, so only an answer proves that the sandbox is of use. */
export async function pings(folder: string): Promise<boolean> {
  try {
    await callAgent(folder, { op: "ping" }, z.object({ ok: z.literal(true) }), { timeoutMs: PING_TIMEOUT_MS });
    return true;
  } catch {
    return false;
  }
}
