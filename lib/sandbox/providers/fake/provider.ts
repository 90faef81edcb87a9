import { randomUUID } from "node:crypto";
import type { Duplex } from "node:stream";
import { SandboxError } from "@/lib/sandbox/errors";
import type {
  CommandEvent,
  ExecResult,
  ExecSpec,
  NetworkPolicy,
  SandboxCapabilities,
  SandboxPeek,
  SandboxProvider,
  SandboxSnapshot,
  SandboxSpec,
  SpawnSpec,
} from "@/lib/sandbox/provider";
import { connectionPair } from "./connection";
import { FakeCommand } from "./fake-command";
import { type FakeOperation, FaultScript } from "./faults";
import { FileTree } from "./file-tree";
import type { FakeProgram } from "./shell";
import { intact, publicSnapshot, type Snapshot } from "./snapshot";

interface Listener {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly serve: (connection: Duplex) => void;
}

interface FakeSandbox {
  spec: SandboxSpec;
  files: FileTree;
  bootId: string | null;
  snapshot: Snapshot | null;
  readonly commands: Map<string, FakeCommand>;
  readonly listeners: Map<number, Listener>;
}

const SPAWN_CAP_BYTES = 1024 * 1024;
const EXEC_CAP_BYTES = 8 * 1024 * 1024;

/**
 * Sandboxes in memory, for tests: the whole port, with files, a tiny command interpreter (`shell.ts`), and a fault script
 * that makes any operation fail before or after its effect, hang, or find its sandbox lost. It stands for a service of its own:
 * a test restarts the app by using the same object again.
 */
export class FakeSandboxProvider implements SandboxProvider {
  readonly name = "fake";
  readonly capabilities: SandboxCapabilities = {
    fork: "instant",
    snapshotStops: true,
    keepsMemory: false,
    hardMemory: false,
    diskQuota: "soft",
    isolation: "none",
    maxLifeMs: null,
  };
  readonly faults = new FaultScript();
  /** Every call that reached the provider, in order: what a test asserts about how often something was asked for. */
  readonly calls: { readonly op: FakeOperation; readonly id: string | null }[] = [];
  private readonly sandboxes = new Map<string, FakeSandbox>();
  private readonly programs: { pattern: RegExp; program: FakeProgram }[] = [];

  /** Answers command lines that match with `program`; the newest rule wins. */
  respond(pattern: RegExp, program: FakeProgram): void {
    this.programs.unshift({ pattern, program });
  }

  /** Lets something listen on a port of a running sandbox. */
  listen(id: string, port: number, serve: (connection: Duplex) => void, command: readonly string[] = ["server"]): void {
    this.running(id).listeners.set(port, { command, cwd: "/workspace", serve });
  }

  /** The sandbox vanishes behind the app's back; only its last snapshot is left, if it ever had one. */
  lose(id: string): void {
    const sandbox = this.sandboxes.get(id);
    if (!sandbox) return;
    this.halt(sandbox);
    if (!sandbox.snapshot) this.sandboxes.delete(id);
  }

  /** The snapshot of a hibernated sandbox can no longer be read. */
  damageSnapshot(id: string): void {
    const sandbox = this.sandboxes.get(id);
    if (sandbox?.snapshot) sandbox.snapshot = { ...sandbox.snapshot, damaged: true };
  }

  /** The network policy in force, for assertions. */
  networkOf(id: string): NetworkPolicy | null {
    return this.sandboxes.get(id)?.spec.network ?? null;
  }

  create(spec: SandboxSpec): Promise<void> {
    return this.perform("create", spec.id, () => {
      const sandbox = this.sandboxes.get(spec.id);
      if (!sandbox) this.boot(spec, new FileTree(), null);
      else if (!sandbox.bootId) this.wake(sandbox, spec);
    });
  }

  peek(id: string): Promise<SandboxPeek> {
    return this.perform("peek", id, () => this.look(id));
  }

  resume(spec: SandboxSpec): Promise<void> {
    return this.perform("resume", spec.id, () => {
      const sandbox = this.existing(spec.id);
      if (!sandbox.bootId) this.wake(sandbox, spec);
    });
  }

  hibernate(id: string): Promise<SandboxSnapshot> {
    return this.perform("hibernate", id, () => {
      const sandbox = this.existing(id);
      if (sandbox.bootId) {
        this.halt(sandbox);
        const files = sandbox.files.snapshot();
        sandbox.snapshot = { id, at: new Date(), sizeBytes: files.sizeBytes, files, damaged: false };
      }
      if (!sandbox.snapshot) throw new SandboxError("not_found", `Sandbox ${id} has no snapshot.`);
      return publicSnapshot(sandbox.snapshot);
    });
  }

  fork(fromId: string, spec: SandboxSpec): Promise<void> {
    checkId(fromId);
    return this.perform("fork", spec.id, () => {
      if (this.sandboxes.has(spec.id)) return;
      const source = this.existing(fromId);
      if (source.bootId) {
        throw new SandboxError("conflict", `Sandbox ${fromId} is running.`, { reason: "still_running" });
      }
      this.boot(spec, intact(fromId, source.snapshot).files.snapshot(), null);
    });
  }

  destroy(id: string): Promise<void> {
    return this.perform("destroy", id, () => {
      const sandbox = this.sandboxes.get(id);
      if (sandbox) this.halt(sandbox);
      this.sandboxes.delete(id);
    });
  }

  list(): Promise<SandboxPeek[]> {
    return this.perform("list", null, () => [...this.sandboxes.keys()].sort().map((id) => this.look(id)));
  }

  spawn(id: string, command: SpawnSpec): Promise<void> {
    return this.perform("spawn", id, () => {
      const sandbox = this.running(id);
      if (sandbox.commands.has(command.commandId)) return;
      const capBytes = command.outputCapBytes ?? SPAWN_CAP_BYTES;
      sandbox.commands.set(command.commandId, this.start(sandbox, command.commandId, command, capBytes));
    });
  }

  async *attach(id: string, commandId: string, signal?: AbortSignal): AsyncGenerator<CommandEvent> {
    const command = await this.perform("attach", id, () => {
      const found = this.running(id).commands.get(commandId);
      if (!found) throw new SandboxError("not_found", "The sandbox does not know this command.");
      return found;
    });
    yield* command.follow(signal);
    if (command.lost && !signal?.aborted) throw gone(id);
  }

  kill(id: string, commandId: string, signal: "SIGTERM" | "SIGKILL" | "SIGINT" = "SIGTERM"): Promise<void> {
    return this.perform("kill", id, async () => {
      const command = this.running(id).commands.get(commandId);
      command?.kill(signal);
      await command?.ended;
    });
  }

  exec(id: string, spec: ExecSpec): Promise<ExecResult> {
    return this.perform("exec", id, async () => {
      const sandbox = this.running(id);
      const { signal, onOutput, stdin, ...input } = spec;
      const aborted = () => new SandboxError("transient", "The command was stopped.", { reason: "aborted" });
      if (signal?.aborted) throw aborted();
      const text = stdin === undefined ? {} : { stdin: Buffer.from(stdin).toString("utf8") };
      const command = this.start(sandbox, randomUUID(), { ...input, ...text }, Number.MAX_SAFE_INTEGER);
      const abort = () => command.kill("SIGKILL");
      signal?.addEventListener("abort", abort, { once: true });
      // Known to the sandbox while it runs, so that it ends with it.
      sandbox.commands.set(command.id, command);
      const output = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
      let room = spec.outputCapBytes ?? EXEC_CAP_BYTES;
      let dropped = 0;
      for await (const event of command.follow()) {
        if (event.type === "exit") break;
        const part = event.bytes.subarray(0, room);
        room -= part.length;
        dropped += event.bytes.length - part.length;
        output[event.stream].push(part);
        if (part.length > 0) onOutput?.(event.stream, part);
      }
      sandbox.commands.delete(command.id);
      signal?.removeEventListener("abort", abort);
      if (signal?.aborted) throw aborted();
      if (command.lost || !command.exit) throw gone(id);
      const stdout = Buffer.concat(output.stdout);
      return { ...command.exit, droppedBytes: dropped, stdout, stderr: Buffer.concat(output.stderr) };
    });
  }

  commands(id: string) {
    return this.perform("commands", id, () => [...this.running(id).commands.values()].map(({ info }) => info));
  }

  readFile(id: string, path: string, range: { offsetBytes?: number; maxBytes?: number } = {}) {
    return this.perform("readFile", id, () => this.running(id).files.read(path, range));
  }

  writeFile(id: string, path: string, content: Uint8Array | string, mode?: number): Promise<void> {
    return this.perform("writeFile", id, () => this.running(id).files.write(path, content, mode));
  }

  listFiles(id: string, path: string, limit?: number) {
    return this.perform("listFiles", id, () => this.running(id).files.list(path, limit));
  }

  stat(id: string, path: string) {
    return this.perform("stat", id, () => this.running(id).files.stat(path));
  }

  dial(id: string, port: number): Promise<Duplex> {
    return this.perform("dial", id, () => {
      const listener = this.running(id).listeners.get(port);
      if (!listener) throw new SandboxError("not_found", `Nothing listens on ${port}.`, { reason: "port_closed" });
      const [ours, theirs] = connectionPair();
      listener.serve(theirs);
      return ours;
    });
  }

  listeningPorts(id: string) {
    return this.perform("listeningPorts", id, () =>
      [...this.running(id).listeners]
        .sort(([a], [b]) => a - b)
        .map(([port, { command, cwd }]) => ({ port, command, cwd })),
    );
  }

  setNetwork(id: string, network: NetworkPolicy): Promise<void> {
    return this.perform("setNetwork", id, () => {
      const sandbox = this.existing(id);
      sandbox.spec = { ...sandbox.spec, network };
    });
  }

  stats(id: string) {
    return this.perform("stats", id, () => {
      const { files, commands, bootId } = this.existing(id);
      const processes = bootId ? 1 + [...commands.values()].filter(({ exit }) => exit === null).length : 0;
      return { memoryBytes: processes * 1_000_000, processes, diskBytes: files.sizeBytes, cpuMs: 0 };
    });
  }

  recover(): Promise<void> {
    return this.perform("recover", null, () => {});
  }

  sealAll(_timeoutMs: number): Promise<void> {
    return this.perform("sealAll", null, async () => {
      const running = [...this.sandboxes].filter(([, sandbox]) => sandbox.bootId !== null);
      await Promise.allSettled(running.map(([id]) => this.hibernate(id)));
    });
  }

  async close(): Promise<void> {}

  private async perform<T>(op: FakeOperation, id: string | null, effect: () => Promise<T> | T): Promise<T> {
    this.calls.push({ op, id });
    if (id !== null) checkId(id);
    return this.faults.around(op, id, effect);
  }

  private boot(spec: SandboxSpec, files: FileTree, snapshot: Snapshot | null): void {
    const bootId = randomUUID();
    this.sandboxes.set(spec.id, { spec, files, bootId, snapshot, commands: new Map(), listeners: new Map() });
  }

  private wake(sandbox: FakeSandbox, spec: SandboxSpec): void {
    const snapshot = intact(spec.id, sandbox.snapshot);
    this.boot(spec, snapshot.files.snapshot(), snapshot);
  }

  private halt(sandbox: FakeSandbox): void {
    sandbox.bootId = null;
    for (const command of sandbox.commands.values()) command.lose();
    sandbox.commands.clear();
    sandbox.listeners.clear();
  }

  private start(
    sandbox: FakeSandbox,
    commandId: string,
    input: Omit<SpawnSpec, "commandId"> & { stdin?: string },
    cap: number,
  ) {
    const env = { HOME: "/home/user", ...sandbox.spec.env, ...input.env };
    const context = { files: sandbox.files, cwd: input.cwd ?? "/workspace", env, stdin: input.stdin ?? "" };
    return new FakeCommand(commandId, input, cap, context, [...this.programs]);
  }

  private look(id: string): SandboxPeek {
    const sandbox = this.sandboxes.get(id);
    if (!sandbox) return { id, state: "missing", bootId: null, snapshot: null };
    if (sandbox.bootId) return { id, state: "running", bootId: sandbox.bootId, snapshot: null };
    return { id, state: "hibernated", bootId: null, snapshot: sandbox.snapshot && publicSnapshot(sandbox.snapshot) };
  }

  private existing(id: string): FakeSandbox {
    const sandbox = this.sandboxes.get(id);
    if (!sandbox) throw new SandboxError("not_found", `There is no sandbox ${id}.`);
    return sandbox;
  }

  private running(id: string): FakeSandbox {
    const sandbox = this.existing(id);
    if (!sandbox.bootId) throw gone(id);
    return sandbox;
  }
}

export function createFakeProvider(): FakeSandboxProvider {
  return new FakeSandboxProvider();
}

function checkId(id: string): void {
  if (/^[a-z0-9-]{1,40}$/.test(id)) return;
  throw new SandboxError("permanent", "A sandbox id is [a-z0-9-]{1,40}.", { reason: "bad_id" });
}

function gone(id: string): SandboxError {
  return new SandboxError("gone", `Sandbox ${id} is not running.`, { reason: "not_running" });
}
