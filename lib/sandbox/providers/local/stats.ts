import { readFile, readlink } from "node:fs/promises";
import type { SandboxStats } from "@/lib/sandbox/provider";
import type { LocalContext } from "./context";
import { diskUsage } from "./disk";
import type { SandboxPaths } from "./layout";
import { listPids } from "./process-table";
import type { StateRecord } from "./records";

const KIB = 1024;
/** USER_HZ, which Linux fixes at 100 for everything it tells user space. */
const MS_PER_TICK = 10;

export interface ProcessUsage {
  readonly pid: number;
  readonly memoryBytes: number;
  readonly cpuMs: number;
}

/** What a sandbox uses: by its cgroup where there is one, else summed over its processes. */
export async function measureSandbox(
  context: LocalContext,
  paths: SandboxPaths,
  state: StateRecord,
): Promise<SandboxStats> {
  const diskBytes = await diskUsage(context.host, paths, state.disk);
  if (!state.boot) return { memoryBytes: 0, processes: 0, diskBytes, cpuMs: 0 };
  const usage = await context.host.cgroups.usage(state.boot.cgroup);
  if (usage.memoryBytes !== null && usage.processes !== null && usage.cpuMs !== null) {
    return { memoryBytes: usage.memoryBytes, processes: usage.processes, diskBytes, cpuMs: usage.cpuMs };
  }
  const processes = (await processesByInit([state.boot.init.pid])).get(state.boot.init.pid) ?? [];
  const sum = (part: (each: ProcessUsage) => number) => processes.reduce((total, each) => total + part(each), 0);
  return {
    memoryBytes: usage.memoryBytes ?? sum((each) => each.memoryBytes),
    processes: usage.processes ?? processes.length,
    diskBytes,
    cpuMs: usage.cpuMs ?? sum((each) => each.cpuMs),
  };
}

/** The processes of several sandboxes, each known by the host's number of its process 1, in one walk over /proc. */
export async function processesByInit(initPids: readonly number[]): Promise<Map<number, ProcessUsage[]>> {
  const initOf = new Map<string, number>();
  for (const pid of initPids) {
    const namespace = await readlink(`/proc/${pid}/ns/pid`).catch(() => null);
    if (namespace) initOf.set(namespace, pid);
  }
  const found = new Map<number, ProcessUsage[]>(initPids.map((pid) => [pid, []]));
  if (initOf.size === 0) return found;
  for (const pid of await listPids()) {
    const namespace = await readlink(`/proc/${pid}/ns/pid`).catch(() => "");
    const init = initOf.get(namespace);
    if (init !== undefined) found.get(init)?.push(await usageOf(pid));
  }
  return found;
}

async function usageOf(pid: number): Promise<ProcessUsage> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
  return {
    pid,
    // Not what is mapped from files: that the kernel can drop, and the sandboxes share most of it.
    memoryBytes: (kilobytes("RssAnon") + kilobytes("RssShmem")) * KIB,
    cpuMs: (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * MS_PER_TICK || 0,
  };
}
