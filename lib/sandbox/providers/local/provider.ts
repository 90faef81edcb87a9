import { readdir } from "node:fs/promises";
import { SandboxError } from "@/lib/sandbox/errors";
import type {
  CommandEvent,
  ExecSpec,
  NetworkPolicy,
  SandboxCapabilities,
  SandboxPeek,
  SandboxProvider,
  SandboxSpec,
  SpawnSpec,
} from "@/lib/sandbox/provider";
import { AgentFailure } from "./agent-calls";
import { AgentLost } from "./agent-link";
import { bringUp, isRunning } from "./boot";
import { attachCommand, execCommand, killCommand, listCommands, spawnCommand } from "./commands";
import { EgressRegistry, type LocalContext } from "./context";
import { isErrno } from "./durable-file";
import { listenEgress } from "./egress/listen";
import { writeGitConfig } from "./etc-files";
import { listFilesInside, readFileInside, statInside, writeFileInside } from "./files";
import { surveyHost } from "./host";
import { KeyedLock } from "./keyed-lock";
import { type StateLayout, stateLayout } from "./layout";
import { createSandbox, destroySandbox, forkSandbox, hibernateSandbox, peekSandbox } from "./lifecycle";
import { DEFAULT_FIRST_UID, DEFAULT_GIT_IDENTITY, defaultAgentPath, type LocalProviderOptions } from "./options";
import { dialPort, listPorts } from "./ports";
import { killProcess } from "./process-table";
import { readState, type StateRecord, writeState } from "./records";
import { pings, recoverSandboxes } from "./recover";
import { proveIsolation } from "./self-check";
import { measureSandbox } from "./stats";
import { Watchdog } from "./watchdog";

/**
 * Sandboxes on this machine (design.md, section 7): user namespaces, bubblewrap, a system call filter, no network but the
 * egress proxy. Nothing ever runs unsandboxed: before the first sandbox, the whole chain is tried once and what it gives is
 * checked; a host that cannot do it is refused with `permanent`, reason `host_cannot_isolate`, and advice.
 *
 * One process per state folder. `/tmp` inside is memory and does not survive hibernation; `/workspace` and the home do.
 * A spec given to `resume` replaces limits, network and environment of before; a disk keeps the size it was made with.
 */
export function createLocalProvider(options: LocalProviderOptions): SandboxProvider {
  return new LocalProvider(options);
}

class LocalProvider implements SandboxProvider {
  readonly name = "local";
  private readonly lock = new KeyedLock();
  private readonly layout: StateLayout;
  private readonly log: (line: string) => void;
  private readonly egress: EgressRegistry;
  private preparation: Promise<LocalContext> | undefined;
  private context: LocalContext | undefined;
  private watchdog: Watchdog | undefined;

  constructor(private readonly options: LocalProviderOptions) {
    this.layout = stateLayout(options.stateDir, options.deployment);
    this.log = options.log ?? (() => {});
    this.egress = new EgressRegistry(
      options.listenEgress ?? listenEgress,
      options.gateway,
      options.baseAllow,
      this.log,
    );
  }

  /** The weaker of what is possible until `recover` has looked at the host. */
  get capabilities(): SandboxCapabilities {
    const host = this.context?.host;
    return {
      fork: "copy",
      snapshotStops: true,
      keepsMemory: false,
      hardMemory: host?.cgroups.limitsMemory ?? false,
      diskQuota: host?.hasImages ? "hard" : "soft",
      isolation: "namespaces",
      maxLifeMs: null,
    };
  }

  create(spec: SandboxSpec): Promise<void> {
    return this.locked([spec.id], (context) => createSandbox(context, spec));
  }

  peek(id: string): Promise<SandboxPeek> {
    return this.guarded([id], (context) => peekSandbox(context, id));
  }

  resume(spec: SandboxSpec): Promise<void> {
    return this.locked([spec.id], (context) => bringUp(context, context.layout.sandbox(spec.id), spec));
  }

  hibernate(id: string) {
    return this.locked([id], (context) => hibernateSandbox(context, id));
  }

  fork(fromId: string, spec: SandboxSpec): Promise<void> {
    return this.locked([fromId, spec.id], (context) => forkSandbox(context, fromId, spec));
  }

  destroy(id: string): Promise<void> {
    return this.locked([id], (context) => destroySandbox(context, id));
  }

  list(): Promise<SandboxPeek[]> {
    return this.guarded([], async (context) => {
      const found: SandboxPeek[] = [];
      for (const id of (await readdir(context.layout.sandboxes)).sort()) {
        const state = await readState(context.layout.sandbox(id)).catch(() => null);
        if (state && state.deployment !== context.deployment) continue;
        const peek = state ? await peekSandbox(context, id) : null;
        if (peek && peek.state !== "missing") found.push(peek);
      }
      return found;
    });
  }

  spawn(id: string, command: SpawnSpec): Promise<void> {
    return this.inside(id, (folder) => spawnCommand(folder, command));
  }

  async *attach(id: string, commandId: string, signal?: AbortSignal): AsyncGenerator<CommandEvent> {
    const context = await this.guarded([id], async (ready) => ready);
    const folder = context.layout.sandbox(id).run;
    try {
      await this.requireRunning(context, id);
      yield* attachCommand(folder, commandId, signal);
    } catch (error) {
      throw await this.explain(context, id, error);
    }
  }

  kill(id: string, commandId: string, signal: "SIGTERM" | "SIGKILL" | "SIGINT" = "SIGTERM"): Promise<void> {
    return this.inside(id, (folder) => killCommand(folder, commandId, signal));
  }

  exec(id: string, command: ExecSpec) {
    return this.inside(id, (folder) => execCommand(folder, command));
  }

  commands(id: string) {
    return this.inside(id, (folder) => listCommands(folder));
  }

  readFile(id: string, path: string, range: { offsetBytes?: number; maxBytes?: number } = {}) {
    return this.inside(id, (folder) => readFileInside(folder, path, range));
  }

  writeFile(id: string, path: string, content: Uint8Array | string, mode?: number): Promise<void> {
    return this.inside(id, (folder) => writeFileInside(folder, path, content, mode));
  }

  listFiles(id: string, path: string, limit?: number) {
    return this.inside(id, (folder) => listFilesInside(folder, path, limit));
  }

  stat(id: string, path: string) {
    return this.inside(id, (folder) => statInside(folder, path));
  }

  dial(id: string, port: number) {
    return this.inside(id, (folder) => dialPort(folder, port));
  }

  listeningPorts(id: string) {
    return this.inside(id, (folder) => listPorts(folder));
  }

  setNetwork(id: string, network: NetworkPolicy): Promise<void> {
    return this.locked([id], async (context) => {
      const paths = context.layout.sandbox(id);
      const state = await readState(paths);
      if (!state) throw new SandboxError("not_found", `There is no sandbox ${id}.`);
      const spec = { ...state.spec, network: { ...network, allow: [...network.allow] } };
      await writeState(paths, { ...state, spec });
      await writeGitConfig(paths, network, context.gitIdentity);
      if (await isRunning(state)) await context.egress.serve(context.host, paths, id, network);
    });
  }

  stats(id: string) {
    return this.guarded([id], async (context) => {
      const paths = context.layout.sandbox(id);
      const state = await readState(paths);
      if (!state) throw new SandboxError("not_found", `There is no sandbox ${id}.`);
      return measureSandbox(context, paths, (await isRunning(state)) ? state : { ...state, boot: null });
    });
  }

  recover(): Promise<void> {
    return this.guarded([], (context) => recoverSandboxes(context, this.lock));
  }

  async sealAll(timeoutMs: number): Promise<void> {
    const running = (await this.list()).filter((each) => each.state === "running");
    const sealing = Promise.all(
      running.map(({ id }) =>
        this.hibernate(id).catch((error: unknown) => this.log(`sandbox ${id} was not sealed: ${String(error)}`)),
      ),
    );
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    await Promise.race([sealing, late]);
    clearTimeout(timer);
  }

  async close(): Promise<void> {
    this.watchdog?.stop();
    await this.egress.stopAll();
    await this.context?.host.cgroups.removeParent();
  }

  /** Surveys the host and proves the isolation, once; a failure is tried again at the next call. */
  private prepare(): Promise<LocalContext> {
    this.preparation ??= this.prepareOnce().catch((error: unknown) => {
      this.preparation = undefined;
      throw error;
    });
    return this.preparation;
  }

  private async prepareOnce(): Promise<LocalContext> {
    const host = await surveyHost(this.layout, {
      nodePath: this.options.nodePath ?? process.execPath,
      agentPath: this.options.agentPath ?? defaultAgentPath(),
      firstUid: this.options.firstUid ?? DEFAULT_FIRST_UID,
      log: this.log,
    });
    const context: LocalContext = {
      layout: this.layout,
      host,
      deployment: this.options.deployment,
      gitIdentity: this.options.gitIdentity ?? DEFAULT_GIT_IDENTITY,
      egress: this.egress,
      log: this.log,
    };
    await proveIsolation(context);
    this.context = context;
    this.watchdog = new Watchdog(context);
    return context;
  }

  private locked<T>(ids: readonly string[], operation: (context: LocalContext) => Promise<T>): Promise<T> {
    return this.guarded(ids, (context) => this.lock.runAll(ids, () => operation(context)));
  }

  /** Checks ids, prepares the host, and lets nothing but `SandboxError` out. */
  private async guarded<T>(ids: readonly string[], operation: (context: LocalContext) => Promise<T>): Promise<T> {
    try {
      for (const id of ids) {
        if (!/^[a-z0-9-]{1,40}$/.test(id)) {
          throw new SandboxError("permanent", "A sandbox id is [a-z0-9-]{1,40}.", { reason: "bad_id" });
        }
      }
      return await operation(await this.prepare());
    } catch (error) {
      throw typed(error);
    }
  }

  /** An operation in a running sandbox, by way of its agent. */
  private inside<T>(id: string, operation: (folder: string) => Promise<T>): Promise<T> {
    return this.guarded([id], async (context) => {
      try {
        await this.requireRunning(context, id);
        return await operation(context.layout.sandbox(id).run);
      } catch (error) {
        throw await this.explain(context, id, error);
      }
    });
  }

  private async requireRunning(context: LocalContext, id: string): Promise<StateRecord> {
    const state = await readState(context.layout.sandbox(id));
    if (!state) throw new SandboxError("not_found", `There is no sandbox ${id}.`);
    if (!(await isRunning(state))) throw notRunning(id);
    return state;
  }

  /** What a lost agent means: the sandbox is gone, unless the agent still answers. A sandbox without agent is ended. */
  private async explain(context: LocalContext, id: string, error: unknown): Promise<unknown> {
    if (!(error instanceof AgentLost)) return typed(error);
    const paths = context.layout.sandbox(id);
    const state = await readState(paths).catch(() => null);
    if (state?.boot && (await isRunning(state))) {
      if (await pings(paths.run)) {
        return new SandboxError("transient", "The connection to the sandbox broke.", { reason: "agent", cause: error });
      }
      await killProcess(state.boot.init);
    }
    return notRunning(id, error);
  }
}

function notRunning(id: string, cause?: unknown): SandboxError {
  return new SandboxError("gone", `Sandbox ${id} is not running.`, { reason: "not_running", cause });
}

function typed(error: unknown): unknown {
  if (error instanceof SandboxError) return error;
  if (error instanceof AgentFailure) {
    return new SandboxError("permanent", `The sandbox refused: ${error.code}.`, { reason: "refused", cause: error });
  }
  if (isErrno(error, "ENOSPC", "EDQUOT")) {
    return new SandboxError("permanent", "The disk of the host is full.", { reason: "disk_full", cause: error });
  }
  return new SandboxError("transient", `The sandbox provider failed: ${String(error)}`, { cause: error });
}
