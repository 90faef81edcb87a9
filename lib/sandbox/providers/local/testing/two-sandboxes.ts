import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { GitGateway } from "@/lib/git/gateway";
import type { NetworkPolicy, SandboxLimits, SandboxProvider, SandboxSpec } from "@/lib/sandbox/provider";
import { createLocalProvider } from "../provider";
import { CANARY, type Decoys, layDecoys } from "./decoys";

const MIB = 1024 * 1024;

/** Small, so that an attack on them is over soon. */
export const LIMITS: SandboxLimits = { memoryBytes: 256 * MIB, processes: 120, diskBytes: 256 * MIB };

export interface Scene {
  readonly provider: SandboxProvider;
  readonly decoys: Decoys;
  readonly stateDir: string;
  /** What the provider logged. */
  readonly log: string[];
  /** Runs a shell line in the attacked sandbox `a`; gives back all that it printed. */
  sh(line: string, timeoutMs?: number): Promise<string>;
  spec(id: string, network?: Partial<NetworkPolicy>): SandboxSpec;
  close(): Promise<void>;
}

/** An attacked sandbox `a`, its neighbour `b`, and decoys around them. */
export async function setScene(
  options: { gateway?: GitGateway; gitRemote?: string; allow?: string[] } = {},
): Promise<Scene> {
  const stateDir = await mkdtemp(path.join(tmpdir(), "escape-"));
  const log: string[] = [];
  // What the app has in its own environment must not be in anybody else's.
  process.env.ESCAPE_APP_SECRET = `${CANARY}-app`;
  const provider = createLocalProvider({
    stateDir,
    deployment: "escape",
    gateway: options.gateway ?? null,
    baseAllow: [],
    log: (line) => log.push(line),
  });
  const network = { allow: options.allow ?? [], gitRemote: options.gitRemote ?? null };
  const spec = (id: string, more: Partial<NetworkPolicy> = {}) => ({
    id,
    limits: LIMITS,
    network: { ...network, ...more },
    env: {},
  });
  const leave = async () => {
    for (const id of ["a", "b"]) await provider.destroy(id);
    await provider.close();
    await rm(stateDir, { recursive: true, force: true });
  };
  const enter = async () => {
    await provider.recover();
    await provider.create(spec("a"));
    await provider.create(spec("b"));
    return await layDecoys(await hostUid(stateDir));
  };
  const decoys = await enter().catch(async (error: unknown) => {
    await leave().catch(() => {});
    throw error;
  });
  return {
    ...{ provider, decoys, stateDir, log, spec },
    async sh(line, timeoutMs = 20_000) {
      const { stdout, stderr } = await provider.exec("a", { command: line, timeoutMs, outputCapBytes: MIB });
      return stdout.toString() + stderr.toString();
    },
    async close() {
      await decoys.close();
      await leave();
    },
  };
}

/** The user of the host that the sandboxes run as. */
async function hostUid(stateDir: string): Promise<number> {
  const own = process.getuid?.() ?? 0;
  if (own !== 0) return own;
  return JSON.parse(await readFile(path.join(stateDir, "host.json"), "utf8")).uid;
}
