import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { lstat, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { SandboxError } from "@/lib/sandbox/errors";
import type { CommandEvent, ExecSpec, SandboxProvider, SpawnSpec } from "@/lib/sandbox/provider";

export interface ToolSandbox {
  readonly provider: SandboxProvider;
  readonly sandboxId: string;
  readonly close: () => Promise<void>;
}

class Command {
  readonly events: CommandEvent[] = [];
  #wake = () => {};
  #news = Promise.resolve();

  constructor(readonly child: ChildProcess) {
    this.#rearm();
    child.stdout?.on("data", (bytes: Buffer) => this.#push({ type: "output", stream: "stdout", bytes }));
    child.stderr?.on("data", (bytes: Buffer) => this.#push({ type: "output", stream: "stderr", bytes }));
  }

  end(event: CommandEvent): void {
    this.#push(event);
  }

  async *follow(signal: AbortSignal | undefined): AsyncGenerator<CommandEvent> {
    for (let at = 0; ; at++) {
      while (at >= this.events.length) {
        const news = this.#news;
        await new Promise<void>((resolve, reject) => {
          const onAbort = () => reject(signal?.reason);
          if (signal?.aborted) return onAbort();
          signal?.addEventListener("abort", onAbort, { once: true });
          news.then(() => {
            signal?.removeEventListener("abort", onAbort);
            resolve();
          });
        });
      }
      const event = this.events[at];
      if (event !== undefined) yield event;
      if (event?.type === "exit") return;
    }
  }

  #push(event: CommandEvent): void {
    this.events.push(event);
    this.#wake();
    this.#rearm();
  }

  #rearm(): void {
    this.#news = new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** Files in a temporary folder and real processes, without any isolation: for tests of the tools only. */
export async function createHostSandbox(): Promise<ToolSandbox> {
  const root = await mkdtemp(path.join(tmpdir(), "dormouse-tools-"));
  const real = (inside: string) => path.join(root, inside);
  await mkdir(real("/workspace"), { recursive: true });
  const commands = new Map<string, Command>();

  const start = (spec: SpawnSpec | ExecSpec): Command => {
    const argv = typeof spec.command === "string" ? ["/bin/bash", "-c", spec.command] : spec.command;
    const [file = "", ...args] = argv;
    const child = spawn(file, args, {
      cwd: real(spec.cwd ?? "/workspace"),
      env: { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir(), ...spec.env },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const command = new Command(child);
    let timedOut = false;
    const timer =
      spec.timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true;
            killGroup(child, "SIGKILL");
          }, spec.timeoutMs);
    child.on("error", (error) => {
      clearTimeout(timer);
      command.end({ type: "exit", exitCode: null, signal: null, timedOut, droppedBytes: 0, error: error.message });
    });
    child.on("close", (exitCode, signal) => {
      clearTimeout(timer);
      command.end({ type: "exit", exitCode, signal, timedOut, droppedBytes: 0 });
    });
    return command;
  };

  const notBuilt = (): never => {
    throw new Error("not needed by the tools");
  };
  const provider: SandboxProvider = {
    name: "host",
    capabilities: {
      fork: "none",
      snapshotStops: true,
      keepsMemory: false,
      hardMemory: false,
      diskQuota: "soft",
      isolation: "none",
      maxLifeMs: null,
    },
    spawn: async (_id, spec) => {
      if (!commands.has(spec.commandId)) commands.set(spec.commandId, start(spec));
    },
    attach: (_id, commandId, signal) => {
      const command = commands.get(commandId);
      if (command === undefined) throw new SandboxError("not_found", "no such command");
      return command.follow(signal);
    },
    kill: async (_id, commandId, signal = "SIGTERM") => {
      const command = commands.get(commandId);
      if (command !== undefined) killGroup(command.child, signal);
    },
    exec: async (_id, spec) => {
      const command = start(spec);
      const chunks = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
      for await (const event of command.follow(spec.signal)) {
        if (event.type === "output") chunks[event.stream].push(event.bytes);
        else return { ...event, stdout: Buffer.concat(chunks.stdout), stderr: Buffer.concat(chunks.stderr) };
      }
      throw new Error("a command ends with an exit");
    },
    readFile: async (_id, inside, range) => {
      const stat = await lstat(real(inside)).catch(() => null);
      if (stat === null) throw new SandboxError("not_found", "no such file");
      if (!stat.isFile()) throw new SandboxError("permanent", "not a file", { reason: "not_a_file" });
      const all = await readFile(real(inside));
      const from = range?.offsetBytes ?? 0;
      return {
        bytes: all.subarray(from, from + (range?.maxBytes ?? all.length)),
        sizeBytes: all.length,
        mode: stat.mode,
      };
    },
    writeFile: async (_id, inside, content) => {
      await mkdir(path.dirname(real(inside)), { recursive: true });
      await writeFile(real(inside), content);
    },
    stat: async (_id, inside) => {
      if (!existsSync(real(inside))) return null;
      const stat = await lstat(real(inside));
      const type = stat.isDirectory() ? "directory" : stat.isSymbolicLink() ? "symlink" : "file";
      return { type, sizeBytes: stat.size, mode: stat.mode, modifiedAt: stat.mtime };
    },
    listFiles: async (_id, inside) => {
      const { readdir } = await import("node:fs/promises");
      const entries = await readdir(real(inside), { withFileTypes: true }).catch(() => {
        throw new SandboxError("not_found", "no such folder");
      });
      return entries
        .map((entry) => ({
          name: entry.name,
          path: path.posix.join(inside, entry.name),
          type: entry.isDirectory() ? ("directory" as const) : ("file" as const),
          sizeBytes: 0,
        }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    create: notBuilt,
    peek: notBuilt,
    resume: notBuilt,
    hibernate: notBuilt,
    fork: notBuilt,
    destroy: notBuilt,
    list: notBuilt,
    commands: notBuilt,
    dial: notBuilt,
    listeningPorts: notBuilt,
    setNetwork: notBuilt,
    stats: notBuilt,
    recover: notBuilt,
    sealAll: notBuilt,
    close: notBuilt,
  };
  return {
    provider,
    sandboxId: "host",
    close: async () => {
      for (const { child } of commands.values()) killGroup(child, "SIGKILL");
      await rm(root, { recursive: true, force: true });
    },
  };
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It ended in this moment.
  }
}
