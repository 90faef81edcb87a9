import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { SandboxLimits } from "@/lib/sandbox/provider";
import { isErrno } from "./durable-file";

const ROOT = "/sys/fs/cgroup";
/** Version 1 keeps one tree per controller; the second name is where some systems mount two of them together. */
const V1_CONTROLLERS = ["memory", "pids", "cpu", "cpuacct"];
const REMOVE_PATIENCE_MS = 5_000;

export interface CgroupUsage {
  readonly memoryBytes: number | null;
  readonly processes: number | null;
  readonly cpuMs: number | null;
}

/** Limits and accounting by the kernel, where the host lets us: version 2, else version 1, else nothing. */
export class Cgroups {
  private constructor(
    readonly kind: "v2" | "v1" | "none",
    /** Hierarchies in use, by controller; `core` is a version 2 tree that can kill a group even without controllers. */
    private readonly trees: ReadonlyMap<string, string>,
    private readonly parent: string,
  ) {}

  get limitsMemory(): boolean {
    return this.kind === "v2" || this.trees.has("memory");
  }

  get limitsProcesses(): boolean {
    return this.kind === "v2" || this.trees.has("pids");
  }

  /** Looks for a tree in which we may really make groups with limits; a container often shows one where we may not. */
  static async probe(tag: string): Promise<Cgroups> {
    const parent = path.join("dormouse", tag);
    if (process.getuid?.() !== 0) return new Cgroups("none", new Map(), parent);
    const v2 = new Cgroups("v2", new Map([["core", ROOT]]), parent);
    if (existsSync(path.join(ROOT, "cgroup.controllers")) && (await v2.works())) return v2;
    const trees = new Map<string, string>();
    for (const controller of V1_CONTROLLERS) {
      const tree = path.join(ROOT, controller);
      if (existsSync(path.join(tree, "cgroup.procs"))) trees.set(controller, tree);
    }
    const unified = path.join(ROOT, "unified");
    if (existsSync(path.join(unified, "cgroup.procs"))) trees.set("core", unified);
    const v1 = new Cgroups("v1", trees, parent);
    if (trees.size > 0 && (await v1.works())) return v1;
    return new Cgroups("none", new Map(), parent);
  }

  private async works(): Promise<boolean> {
    const name = `probe.${process.pid}`;
    try {
      const groups = await this.create(name, { memoryBytes: 1 << 28, processes: 64, diskBytes: 0 });
      return groups.length > 0;
    } catch {
      return false;
    } finally {
      await this.remove(name);
    }
  }

  /** Makes a fresh group and returns the files into which the launcher writes its own number. */
  async create(name: string, limits: SandboxLimits): Promise<string[]> {
    if (this.kind === "none") return [];
    if (this.kind === "v2") {
      await this.delegate(ROOT);
      await mkdir(path.join(ROOT, this.parent), { recursive: true });
      await this.delegate(path.join(ROOT, "dormouse"));
      await this.delegate(path.join(ROOT, this.parent));
    }
    const joined: string[] = [];
    for (const [controller, tree] of this.trees) {
      const group = path.join(tree, this.parent, name);
      await mkdir(group, { recursive: true });
      if (this.kind === "v2" || controller === "memory") await this.limitMemory(group, limits.memoryBytes);
      if (this.kind === "v2" || controller === "pids") {
        await writeFile(path.join(group, "pids.max"), String(limits.processes));
      }
      // A busy sandbox must leave the app itself room to breathe.
      if (this.kind === "v2") await writeFile(path.join(group, "cpu.weight"), "50");
      else if (controller === "cpu") await writeFile(path.join(group, "cpu.shares"), "512");
      joined.push(path.join(group, "cgroup.procs"));
    }
    return joined;
  }

  private async delegate(folder: string): Promise<void> {
    await writeFile(path.join(folder, "cgroup.subtree_control"), "+memory +pids +cpu");
  }

  private async limitMemory(group: string, bytes: number): Promise<void> {
    if (this.kind === "v2") {
      await writeFile(path.join(group, "memory.max"), String(bytes));
      await writeFile(path.join(group, "memory.swap.max"), "0").catch(() => {});
      return;
    }
    await writeFile(path.join(group, "memory.limit_in_bytes"), String(bytes));
    // Absent where swap is not accounted for.
    await writeFile(path.join(group, "memory.memsw.limit_in_bytes"), String(bytes)).catch(() => {});
  }

  /** Kills every process of the group at once, where the kernel can. */
  async kill(name: string): Promise<void> {
    const tree = this.trees.get("core");
    if (!tree) return;
    await writeFile(path.join(tree, this.parent, name, "cgroup.kill"), "1").catch(() => {});
  }

  /** Version 1 keeps a memory group busy for up to a second after its last process: hence a fresh name per boot. */
  async remove(name: string): Promise<void> {
    const deadline = Date.now() + REMOVE_PATIENCE_MS;
    for (const tree of this.trees.values()) {
      while (!(await this.removeOne(path.join(tree, this.parent, name))) && Date.now() < deadline) await delay(25);
    }
  }

  private async removeOne(group: string): Promise<boolean> {
    try {
      await rmdir(group);
      return true;
    } catch (error) {
      return isErrno(error, "ENOENT");
    }
  }

  /** The names of all groups of this provider, including those that a crash left. */
  async list(): Promise<string[]> {
    const names = new Set<string>();
    for (const tree of this.trees.values()) {
      const entries = await readdir(path.join(tree, this.parent), { withFileTypes: true }).catch(() => []);
      for (const entry of entries) if (entry.isDirectory()) names.add(entry.name);
    }
    return [...names];
  }

  /** Removes the folder that holds this provider's groups once it is empty. */
  async removeParent(): Promise<void> {
    for (const tree of this.trees.values()) await rmdir(path.join(tree, this.parent)).catch(() => {});
  }

  async usage(name: string): Promise<CgroupUsage> {
    const file = (controller: string, entry: string) =>
      path.join(this.trees.get(controller) ?? "/nonexistent", this.parent, name, entry);
    if (this.kind === "v2") {
      const cpu = await readFile(file("core", "cpu.stat"), "utf8").catch(() => "");
      const usec = /^usage_usec (\d+)$/m.exec(cpu)?.[1];
      return {
        memoryBytes: await readNumber(file("core", "memory.current")),
        processes: await readNumber(file("core", "pids.current")),
        cpuMs: usec === undefined ? null : Number(usec) / 1_000,
      };
    }
    const nanoseconds = await readNumber(file("cpuacct", "cpuacct.usage"));
    return {
      memoryBytes: await readNumber(file("memory", "memory.usage_in_bytes")),
      processes: await readNumber(file("pids", "pids.current")),
      cpuMs: nanoseconds === null ? null : nanoseconds / 1e6,
    };
  }
}

async function readNumber(file: string): Promise<number | null> {
  const text = await readFile(file, "utf8").catch(() => "");
  const value = Number.parseInt(text, 10);
  return Number.isFinite(value) ? value : null;
}
