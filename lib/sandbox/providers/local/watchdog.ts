import { readdir } from "node:fs/promises";
import { z } from "zod";
import { callAgent } from "./agent-calls";
import { isRunning } from "./boot";
import type { LocalContext } from "./context";
import { diskUsage } from "./disk";
import type { SandboxPaths } from "./layout";
import { readState, type StateRecord } from "./records";
import { processesByInit } from "./stats";

const MEMORY_PERIOD_MS = 500;
const DISK_PERIOD_MS = 10_000;

/**
 * Stands in for the limits that the kernel does not enforce here: over the memory limit the largest process of the sandbox is
 * killed, over the disk limit every command, as long as the files still grow. It looks every half second (memory) and every
 * ten (disk), so a fast program can overshoot: that is what `hardMemory: false` and `diskQuota: "soft"` say.
 */
export class Watchdog {
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly lastDiskBytes = new Map<string, number>();

  constructor(private readonly context: LocalContext) {
    const { host } = context;
    if (!host.cgroups.limitsMemory) this.every(MEMORY_PERIOD_MS, () => this.watchMemory());
    if (!host.hasImages) this.every(DISK_PERIOD_MS, () => this.watchDisks());
  }

  stop(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.length = 0;
  }

  /** The next round begins a period after the last one ended. */
  private every(periodMs: number, round: () => Promise<void>): void {
    const slot = this.timers.length;
    const next = () => {
      this.timers[slot] = setTimeout(() => {
        void round()
          .catch((error: unknown) => this.context.log(`watchdog: ${String(error)}`))
          .finally(() => {
            if (slot < this.timers.length) next();
          });
      }, periodMs).unref();
    };
    next();
  }

  private async watchMemory(): Promise<void> {
    const running = await this.running();
    const usage = await processesByInit(running.map(({ boot }) => boot.init.pid));
    for (const { state, boot } of running) {
      const processes = usage.get(boot.init.pid) ?? [];
      const used = processes.reduce((total, each) => total + each.memoryBytes, 0);
      if (used <= state.spec.limits.memoryBytes) continue;
      const largest = processes.reduce((a, b) => (b.memoryBytes > a.memoryBytes ? b : a));
      this.context.log(`sandbox ${state.id}: over its memory limit, killing its largest process`);
      process.kill(largest.pid, "SIGKILL");
    }
  }

  private async watchDisks(): Promise<void> {
    for (const { state, paths } of await this.running()) {
      if (state.disk === "image") continue;
      const used = await diskUsage(this.context.host, paths, state.disk);
      const before = this.lastDiskBytes.get(state.id) ?? 0;
      this.lastDiskBytes.set(state.id, used);
      if (used <= state.spec.limits.diskBytes || used <= before) continue;
      this.context.log(`sandbox ${state.id}: over its disk limit, killing its commands`);
      await callAgent(paths.run, { op: "killAll" }, z.object({})).catch(() => {});
    }
  }

  private async running() {
    const found: { state: StateRecord; paths: SandboxPaths; boot: NonNullable<StateRecord["boot"]> }[] = [];
    for (const id of await readdir(this.context.layout.sandboxes)) {
      const paths = this.context.layout.sandbox(id);
      const state = await readState(paths).catch(() => null);
      if (state?.boot && (await isRunning(state))) found.push({ state, paths, boot: state.boot });
    }
    return found;
  }
}
