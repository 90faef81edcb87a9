import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type ConformanceTarget, eventually, type Trait } from "@/lib/sandbox/conformance";
import type { SandboxProvider } from "@/lib/sandbox/provider";
import { stateLayout } from "../layout";
import type { LocalProviderOptions } from "../options";
import { isAlive, killProcess } from "../process-table";
import { createLocalProvider } from "../provider";
import { readState } from "../records";

export const DEPLOYMENT = "test";

/** A state folder as bad as it gets: closed to others, a space in its name, and too long for the path of a socket. */
export async function makeStateDir(): Promise<{ stateDir: string; remove: () => Promise<void> }> {
  const root = await mkdtemp(path.join(tmpdir(), "dormouse-live-"));
  const stateDir = path.join(
    root,
    "a folder with a name that is longer than the path of a unix socket may be",
    "state",
  );
  await mkdir(stateDir, { recursive: true });
  return { stateDir, remove: () => rm(root, { recursive: true, force: true }) };
}

export function localOptions(stateDir: string): LocalProviderOptions {
  return { stateDir, deployment: DEPLOYMENT, gateway: null, baseAllow: [] };
}

/** The local provider of this machine and user, for the conformance suite. */
export class LocalTarget implements ConformanceTarget {
  readonly layout;

  private constructor(
    private readonly options: LocalProviderOptions,
    private current: SandboxProvider,
  ) {
    this.layout = stateLayout(options.stateDir, options.deployment);
  }

  static async open(options: LocalProviderOptions): Promise<LocalTarget> {
    const provider = createLocalProvider(options);
    await provider.recover();
    return new LocalTarget(options, provider);
  }

  get provider(): SandboxProvider {
    return this.current;
  }

  get traits(): ReadonlySet<Trait> {
    const { diskQuota } = this.current.capabilities;
    const traits = new Set<Trait>(["shell", "keeps-files-when-lost"]);
    if (diskQuota === "hard") traits.add("hard-disk");
    return traits;
  }

  async lose(id: string): Promise<void> {
    const boot = (await readState(this.layout.sandbox(id)))?.boot;
    if (!boot) throw new Error(`${id} does not run`);
    await killProcess(boot.init);
    await killProcess(boot.outer);
    await eventually(async () => !(await isAlive(boot.init)));
  }

  async damage(id: string): Promise<void> {
    const paths = this.layout.sandbox(id);
    if ((await readState(paths))?.disk === "folder") {
      await writeFile(path.join(paths.files, "workspace", "foreign"), "");
      return;
    }
    const image = await open(paths.image, "r+");
    await image.write(Buffer.alloc(64 * 1024), 0, 64 * 1024, 0);
    await image.close();
  }

  async restartApp(): Promise<SandboxProvider> {
    await this.current.close();
    this.current = createLocalProvider(this.options);
    await this.current.recover();
    return this.current;
  }
}

/** What of a state folder is still in use on this host. */
export function traces(needle: string): string[] {
  const found: string[] = [];
  for (const file of ["/proc/mounts", "/proc/swaps"]) {
    for (const line of readFileSync(file, "utf8").split("\n")) if (line.includes(needle)) found.push(line);
  }
  return found;
}
