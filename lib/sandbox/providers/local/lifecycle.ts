import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, rename } from "node:fs/promises";
import path from "node:path";
import { SandboxError } from "@/lib/sandbox/errors";
import type { SandboxPeek, SandboxSnapshot, SandboxSpec } from "@/lib/sandbox/provider";
import { bringUp, isRunning, killMarked, stop } from "./boot";
import type { LocalContext } from "./context";
import { copyDisk, createDisk, diskUsage, removeTree, waitForDetach } from "./disk";
import { isErrno, syncPath } from "./durable-file";
import { type SandboxPaths, sandboxPaths } from "./layout";
import {
  clearIntent,
  readSeal,
  readState,
  type SealRecord,
  type StateRecord,
  writeIntent,
  writeSeal,
  writeState,
} from "./records";
import { sealFiles } from "./seal";

/** Bringing sandboxes into being and out of it. The caller holds the lock of every sandbox that is touched. */

/** Makes a sandbox, or adopts what an earlier call with the same id made, however far that got. */
export async function createSandbox(context: LocalContext, spec: SandboxSpec): Promise<void> {
  const paths = context.layout.sandbox(spec.id);
  if (!(await readState(paths))) {
    await hatch(context, spec, async (nest) => ({
      disk: await createDisk(context.host, nest, spec.limits.diskBytes),
      furnished: !context.host.hasImages,
      seal: null,
    }));
  }
  await bringUp(context, paths, spec);
}

/** Copies the files of a hibernated sandbox into a new one and starts it. */
export async function forkSandbox(context: LocalContext, fromId: string, spec: SandboxSpec): Promise<void> {
  const paths = context.layout.sandbox(spec.id);
  if (!(await readState(paths))) {
    const source = context.layout.sandbox(fromId);
    const state = await readState(source);
    if (!state) throw new SandboxError("not_found", `There is no sandbox ${fromId}.`);
    if (await isRunning(state)) {
      throw new SandboxError("conflict", `Sandbox ${fromId} is running; only a hibernated one can be forked.`, {
        reason: "still_running",
      });
    }
    await hatch(context, spec, async (nest) => {
      await waitForDetach(source);
      await copyDisk(context.host, source, nest, state.disk);
      return { disk: state.disk, furnished: state.furnished, seal: await readSeal(source) };
    });
  }
  await bringUp(context, paths, spec);
}

/** Prepares a sandbox out of sight and moves it into place in one rename: a crash leaves either nothing or all of it. */
async function hatch(
  context: LocalContext,
  spec: SandboxSpec,
  fill: (nest: SandboxPaths) => Promise<{ disk: StateRecord["disk"]; furnished: boolean; seal: SealRecord | null }>,
): Promise<void> {
  const { layout, host, deployment } = context;
  const nest = sandboxPaths(path.join(layout.nursery, `${spec.id}.${randomBytes(4).toString("hex")}`));
  try {
    await mkdir(nest.root, { mode: 0o700 });
    await mkdir(nest.run, { mode: 0o700 });
    await mkdir(nest.inside);
    await chmod(nest.inside, 0o755);
    const { disk, furnished, seal } = await fill(nest);
    if (seal) await writeSeal(nest, { ...seal, id: spec.id });
    const { limits, network, env } = spec;
    await writeState(nest, {
      version: 1,
      id: spec.id,
      deployment,
      createdAt: new Date().toISOString(),
      disk,
      furnished,
      spec: { limits, network: { ...network, allow: [...network.allow] }, env: { ...env } },
      boot: null,
    });
    await rename(nest.root, layout.sandbox(spec.id).root);
    await syncPath(layout.sandboxes);
  } catch (error) {
    await removeTree(host, nest.root);
    if (isErrno(error, "ENOSPC", "EDQUOT")) {
      throw new SandboxError("permanent", "The disk of the host is full.", { reason: "disk_full", cause: error });
    }
    throw error;
  }
}

/** Where a sandbox is, from its records and the process table alone. */
export async function peekSandbox(context: LocalContext, id: string): Promise<SandboxPeek> {
  const paths = context.layout.sandbox(id);
  const state = await readState(paths);
  if (!state) return { id, state: "missing", bootId: null, snapshot: null };
  if (await isRunning(state)) return { id, state: "running", bootId: state.boot?.bootId ?? null, snapshot: null };
  const seal = await readSeal(paths).catch(() => null);
  if (seal) return { id, state: "hibernated", bootId: null, snapshot: toSnapshot(seal) };
  // Unsealed (see `bringUp`): what the disk kept is the snapshot.
  const sizeBytes = state.disk === "image" ? await diskUsage(context.host, paths, "image").catch(() => 0) : 0;
  const at = new Date(state.boot?.at ?? state.createdAt);
  return { id, state: "hibernated", bootId: null, snapshot: { id, at, sizeBytes } };
}

/** Stops and seals. An intent first: after a crash in the middle, `recover` finishes it. */
export async function hibernateSandbox(context: LocalContext, id: string): Promise<SandboxSnapshot> {
  const paths = context.layout.sandbox(id);
  const state = await readState(paths);
  if (!state) throw new SandboxError("not_found", `There is no sandbox ${id}.`);
  if (!(await isRunning(state))) {
    const seal = await readSeal(paths);
    if (seal) {
      await clearIntent(paths);
      return toSnapshot(seal);
    }
  }
  await writeIntent(paths);
  try {
    await stop(context, paths, state);
    const seal = await sealFiles(context, paths, { ...state, boot: null });
    await waitForDetach(paths);
    await clearIntent(paths);
    return toSnapshot(seal);
  } catch (error) {
    await clearIntent(paths).catch(() => {});
    if (error instanceof SandboxError && error.kind === "permanent") throw error;
    throw new SandboxError("transient", "The files of the sandbox could not be sealed.", {
      reason: "seal_failed",
      cause: error,
    });
  }
}

function toSnapshot(seal: SealRecord): SandboxSnapshot {
  return { id: seal.id, at: new Date(seal.at), sizeBytes: seal.sizeBytes };
}

/** Moves the sandbox out of sight, which is the point of no return, then ends it and removes its files. */
export async function destroySandbox(context: LocalContext, id: string): Promise<void> {
  const { layout } = context;
  await context.egress.stop(id);
  try {
    await rename(layout.sandbox(id).root, path.join(layout.trash, `${id}.${randomBytes(4).toString("hex")}`));
    await syncPath(layout.trash);
  } catch (error) {
    if (!isErrno(error, "ENOENT")) throw error;
  }
  for (const name of await readdir(layout.trash)) if (name.startsWith(`${id}.`)) await emptyTrash(context, name);
}

/** Finishes the destruction of one sandbox in the trash. Idempotent. */
export async function emptyTrash(context: LocalContext, name: string): Promise<void> {
  const paths = sandboxPaths(path.join(context.layout.trash, name));
  const boot = (await readState(paths).catch(() => null))?.boot;
  // Without a record of the boot only the id tells which processes these are, unless it is in use again.
  const id = name.split(".")[0] ?? "";
  if (boot) await killMarked(context.layout.tag, ({ bootId }) => bootId === boot.bootId);
  else if (!existsSync(context.layout.sandbox(id).root)) await killMarked(context.layout.tag, (each) => each.id === id);
  if (boot) await context.host.cgroups.remove(boot.cgroup);
  await waitForDetach(paths);
  await removeTree(context.host, paths.root);
}
