import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { SandboxError } from "@/lib/sandbox/errors";
import type { SandboxSpec } from "@/lib/sandbox/provider";
import { callAgent } from "./agent-calls";
import type { LocalContext } from "./context";
import { checkDisk, damaged, waitForDetach } from "./disk";
import { writeEtc, writeGitConfig } from "./etc-files";
import { launchSandbox } from "./launch";
import type { SandboxPaths } from "./layout";
import { bootMarker, findMarked, isAlive, killProcess, type ProcessIdentity } from "./process-table";
import { type BootRecord, breakSeal, clearIntent, readSeal, readState, type StateRecord, writeState } from "./records";
import { matchesSeal, surveyFiles } from "./seal";

const AGENT_START_TIMEOUT_MS = 20_000;
const DEATH_PATIENCE_MS = 10_000;

/** Whether the sandbox has living processes of the boot that its record names. */
export async function isRunning(state: StateRecord | null): Promise<boolean> {
  return state?.boot != null && (await isAlive(state.boot.init));
}

/**
 * Makes a sandbox that exists run, whatever it is now (the lock of the sandbox is held).
 *
 * The rule of the seal: it is present exactly while the files are known to be complete and unchanged. Sealed: they must
 * match it, else `snapshot_damaged`. Neither running nor sealed (the host lost power, or somebody killed everything):
 * the files are what the disk kept, and are used as they are; there is nothing to compare them with. Running: a seal that
 * is still there was left by a crash in this function, after the last check and before it was broken; it means nothing.
 */
export async function bringUp(context: LocalContext, paths: SandboxPaths, spec: SandboxSpec): Promise<void> {
  const state = await readState(paths);
  if (!state) throw new SandboxError("not_found", `There is no sandbox ${spec.id}.`);
  if (await isRunning(state)) {
    await context.egress.serve(context.host, paths, spec.id, state.spec.network);
    return;
  }
  await stop(context, paths, state);
  const seal = await readSeal(paths);
  await checkDisk(paths, state.disk, seal !== null);
  const { limits, network, env } = spec;
  const wanted: StateRecord = {
    ...state,
    boot: null,
    spec: { limits, network: { ...network, allow: [...network.allow] }, env: { ...env } },
  };
  await writeEtc(paths);
  await writeGitConfig(paths, network, context.gitIdentity);
  const boot = await launch(context, paths, wanted);
  try {
    // Nothing of the sandbox has run yet, so this answer of its agent can be believed.
    if (seal) {
      const found = await surveyFiles(paths.run);
      if (!matchesSeal(seal, found)) {
        throw damaged(
          `sealed with ${seal.entryCount} entries at ${seal.head}, found ${found.entryCount} at ${found.head}`,
        );
      }
    }
    await writeState(paths, { ...wanted, furnished: true, boot });
  } catch (error) {
    await killBoot(context, { ...wanted, boot });
    await context.egress.stop(spec.id);
    throw error;
  }
  await breakSeal(paths);
  await clearIntent(paths);
}

async function launch(context: LocalContext, paths: SandboxPaths, state: StateRecord): Promise<BootRecord> {
  const { host, layout } = context;
  const bootId = randomBytes(8).toString("hex");
  const cgroup = `${state.id}.${bootId}`;
  const marker = bootMarker(layout.tag, state.id, bootId);
  try {
    await context.egress.serve(host, paths, state.id, state.spec.network);
    const join = await host.cgroups.create(cgroup, state.spec.limits);
    const furnish = !state.furnished;
    const { disk, spec } = state;
    const { limits } = spec;
    const env = { ...context.egress.environment(spec.network), ...spec.env };
    const launched = await launchSandbox(host, { paths, disk, limits, env, marker, join, readOnly: false, furnish });
    await callAgent(paths.run, { op: "ping" }, z.object({ ok: z.literal(true) }), {
      timeoutMs: AGENT_START_TIMEOUT_MS,
    });
    return { bootId, ...launched, cgroup, at: new Date().toISOString() };
  } catch (error) {
    await killMarked(layout.tag, (process) => process.bootId === bootId);
    await host.cgroups.kill(cgroup);
    await host.cgroups.remove(cgroup);
    await context.egress.stop(state.id);
    await waitForDetach(paths);
    throw error;
  }
}

/** Ends every process of a sandbox and lets go of its disk. Its files stay. Throws `transient` when something will not die. */
export async function stop(context: LocalContext, paths: SandboxPaths, state: StateRecord): Promise<void> {
  await context.egress.stop(state.id);
  if (state.boot) {
    await killBoot(context, state);
    await writeState(paths, { ...state, boot: null });
  }
  await waitForDetach(paths);
}

/** Kills process 1 of the sandbox's namespace, and with it, by the kernel, everything in it. */
async function killBoot(context: LocalContext, state: StateRecord): Promise<void> {
  const { boot } = state;
  if (!boot) return;
  await context.host.cgroups.kill(boot.cgroup);
  await killAll([boot.init, boot.outer]);
  // The group of version 1 stays busy for a moment; nobody needs to wait for it.
  void context.host.cgroups.remove(boot.cgroup).catch(() => {});
}

/** Kills the processes with our marker that `select` picks, recorded or not. */
export async function killMarked(
  tag: string,
  select: (process: { id: string; bootId: string }) => boolean,
): Promise<number> {
  const targets = (await findMarked(tag)).filter(select);
  await killAll(targets);
  return targets.length;
}

async function killAll(targets: readonly ProcessIdentity[]): Promise<void> {
  for (const target of targets) await killProcess(target);
  const deadline = Date.now() + DEATH_PATIENCE_MS;
  for (const target of targets) {
    while (await isAlive(target)) {
      if (Date.now() > deadline) {
        throw new SandboxError("transient", "A process of the sandbox does not die.", { reason: "still_alive" });
      }
      await delay(3);
    }
  }
}
