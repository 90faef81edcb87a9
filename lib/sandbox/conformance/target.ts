import assert from "node:assert/strict";
import { isSandboxError, type SandboxErrorKind } from "@/lib/sandbox/errors";
import {
  type CommandEvent,
  type CommandExit,
  DEFAULT_LIMITS,
  type ExecSpec,
  type NetworkPolicy,
  type SandboxLimits,
  type SandboxProvider,
  type SandboxSpec,
} from "@/lib/sandbox/provider";

/**
 * What one kind of provider has that another has not. A scenario names what it needs; a test file names what its provider
 * has, and shows every scenario that is left out for that reason.
 */
export type Trait =
  /** Commands are run by a real shell with the usual programs, on a real file system. */
  | "shell"
  /** The provider can lose a sandbox and keep its files. */
  | "keeps-files-when-lost"
  | "hard-disk";

/** A provider under test, and what a test can do to it that the port does not offer. */
export interface ConformanceTarget {
  readonly provider: SandboxProvider;
  readonly traits: ReadonlySet<Trait>;
  /** Ends the sandbox as a crash of its host would. */
  lose(id: string): Promise<void>;
  /** Makes the snapshot of a hibernated sandbox differ from what was sealed. */
  damage(id: string): Promise<void>;
  /** The app ends without warning and starts again; the provider of the new process. */
  restartApp(): Promise<SandboxProvider>;
}

export interface Scenario {
  /** The guarantee. */
  readonly name: string;
  readonly needs: readonly Trait[];
  run(context: ScenarioContext): Promise<void>;
}

/** Hands out sandbox ids of its own to each scenario and removes what it made. */
export class ScenarioContext {
  private readonly ids: string[] = [];
  private current: SandboxProvider;

  constructor(
    readonly target: ConformanceTarget,
    private readonly prefix: string,
  ) {
    this.current = target.provider;
  }

  get provider(): SandboxProvider {
    return this.current;
  }

  async restartApp(): Promise<void> {
    this.current = await this.target.restartApp();
  }

  spec(
    more: { network?: NetworkPolicy; env?: Record<string, string>; limits?: Partial<SandboxLimits> } = {},
  ): SandboxSpec {
    const id = `${this.prefix}-${this.ids.length}`;
    this.ids.push(id);
    return {
      id,
      limits: { ...DEFAULT_LIMITS, ...more.limits },
      network: more.network ?? { allow: [], gitRemote: null },
      env: more.env ?? {},
    };
  }

  async create(more: Parameters<ScenarioContext["spec"]>[0] = {}): Promise<SandboxSpec> {
    const spec = this.spec(more);
    await this.provider.create(spec);
    return spec;
  }

  /** Runs a command that must succeed and returns what it printed. */
  async output(id: string, command: string, more: Partial<ExecSpec> = {}): Promise<string> {
    const result = await this.provider.exec(id, { timeoutMs: 60_000, ...more, command });
    assert.equal(result.exitCode, 0, `${command}: ${result.stdout}${result.stderr}${result.error ?? ""}`);
    return result.stdout.toString("utf8");
  }

  async follow(id: string, commandId: string): Promise<{ output: string; exit: CommandExit }> {
    const events: CommandEvent[] = [];
    for await (const event of this.provider.attach(id, commandId)) events.push(event);
    return collect(events);
  }

  async cleanUp(): Promise<void> {
    for (const id of this.ids) await this.provider.destroy(id);
  }
}

export function collect(events: readonly CommandEvent[]): { output: string; exit: CommandExit } {
  const bytes = events.flatMap((event) => (event.type === "output" ? [event.bytes] : []));
  const last = events.at(-1);
  assert.ok(last?.type === "exit", "the last event is the exit");
  const { type: _type, ...exit } = last;
  return { output: Buffer.concat(bytes).toString("utf8"), exit };
}

/** Fails unless `operation` throws a `SandboxError` of that kind and reason. */
export async function refuses(operation: Promise<unknown>, kind: SandboxErrorKind, reason?: string): Promise<void> {
  const error = await operation.then(
    () => assert.fail(`expected ${kind}${reason ? `/${reason}` : ""}, but it succeeded`),
    (thrown: unknown) => thrown,
  );
  assert.ok(isSandboxError(error, kind), `expected ${kind}, got ${String(error)}`);
  if (reason !== undefined) assert.equal(error.reason, reason);
}

/** Waits until `condition` gives something true; fails after `timeoutMs`. */
export async function eventually<T>(
  condition: () => Promise<T | null | false> | T | null | false,
  timeoutMs = 10_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const result = await condition();
    if (result) return result;
    assert.ok(Date.now() < deadline, "the condition did not come true in time");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
