import { rm } from "node:fs/promises";
import { z } from "zod";
import { SandboxError } from "@/lib/sandbox/errors";
import { readIfPresent, syncPath, writeDurably } from "./durable-file";
import type { SandboxPaths } from "./layout";

const boot = z.object({
  bootId: z.string(),
  /** Process 1 of the sandbox's own process namespace; the kernel kills all the others with it. */
  init: z.object({ pid: z.number().int().positive(), start: z.string() }),
  /** The bubblewrap process outside, which holds the mounts. */
  outer: z.object({ pid: z.number().int().positive(), start: z.string() }),
  cgroup: z.string(),
  at: z.string(),
});

const state = z.object({
  version: z.literal(1),
  id: z.string(),
  deployment: z.string(),
  createdAt: z.string(),
  disk: z.enum(["image", "folder"]),
  /** False until `/workspace` and the home folder have been made. */
  furnished: z.boolean(),
  spec: z.object({
    limits: z.object({ memoryBytes: z.number(), processes: z.number(), diskBytes: z.number() }),
    network: z.object({ allow: z.array(z.string()), gitRemote: z.string().nullable() }),
    env: z.record(z.string(), z.string()),
  }),
  boot: boot.nullable(),
});

const seal = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  sizeBytes: z.number().nonnegative(),
  head: z.string().nullable(),
  entryCount: z.number().int().nonnegative(),
});

export type BootRecord = z.infer<typeof boot>;
export type StateRecord = z.infer<typeof state>;
export type SealRecord = z.infer<typeof seal>;

/** Null when there is no such sandbox. A record that cannot be read is treated as damage, never as absence. */
export async function readState(paths: SandboxPaths): Promise<StateRecord | null> {
  const text = await readIfPresent(paths.state);
  return text === null ? null : parse(state, text, paths.state);
}

export async function writeState(paths: SandboxPaths, record: StateRecord): Promise<void> {
  await writeDurably(paths.state, JSON.stringify(record));
}

export async function readSeal(paths: SandboxPaths): Promise<SealRecord | null> {
  const text = await readIfPresent(paths.seal);
  return text === null ? null : parse(seal, text, paths.seal);
}

/** Writes the seal and proves, by reading it back, that it says what it should. */
export async function writeSeal(paths: SandboxPaths, record: SealRecord): Promise<void> {
  const text = JSON.stringify(record);
  await writeDurably(paths.seal, text);
  if ((await readIfPresent(paths.seal)) !== text) throw new Error(`${paths.seal} does not hold what was written`);
}

export async function breakSeal(paths: SandboxPaths): Promise<void> {
  await rm(paths.seal, { force: true });
  await syncPath(paths.root);
}

/** Only hibernation needs one: creating, forking and destroying are single renames. */
export async function writeIntent(paths: SandboxPaths): Promise<void> {
  await writeDurably(paths.intent, JSON.stringify({ operation: "hibernate" }));
}

export async function hasIntent(paths: SandboxPaths): Promise<boolean> {
  return (await readIfPresent(paths.intent)) !== null;
}

export async function clearIntent(paths: SandboxPaths): Promise<void> {
  await rm(paths.intent, { force: true });
}

function parse<T>(schema: z.ZodType<T>, text: string, file: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new SandboxError("permanent", `${file} cannot be read.`, { reason: "snapshot_damaged", cause });
  }
}
