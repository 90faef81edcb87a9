import type { CommandEvent, CommandExit, CommandInfo, SpawnSpec } from "@/lib/sandbox/provider";
import { type FakeProgram, runLine, runWords, type ShellContext } from "./shell";

export type CommandInput = Omit<SpawnSpec, "commandId"> & { readonly stdin?: string };

interface Output {
  readonly stream: "stdout" | "stderr";
  readonly bytes: Buffer;
}

/** One command of a fake sandbox, running or ended, with the newest part of what it said. */
export class FakeCommand {
  readonly startedAt = new Date();
  readonly ended: Promise<void>;
  exit: CommandExit | null = null;
  /** True when its sandbox went away under it. */
  lost = false;
  private kept: Output[] = [];
  private keptBytes = 0;
  private dropped = 0;
  private said = 0;
  private readonly killer = new AbortController();
  private killedBy: string | null = null;
  private timedOut = false;
  private readonly watchers = new Set<() => void>();

  constructor(
    readonly id: string,
    private readonly input: CommandInput,
    private readonly capBytes: number,
    context: Omit<ShellContext, "signal" | "write">,
    programs: readonly { readonly pattern: RegExp; readonly program: FakeProgram }[],
  ) {
    const shell: ShellContext = {
      ...context,
      signal: this.killer.signal,
      write: (stream, text) => this.say(stream, Buffer.from(text)),
    };
    const timer =
      input.timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            this.timedOut = true;
            this.kill("SIGKILL");
          }, input.timeoutMs);
    this.ended = this.run(shell, programs).finally(() => clearTimeout(timer));
  }

  get info(): CommandInfo {
    const { id: commandId, startedAt, exit } = this;
    const { cwd = "/workspace", background = false } = this.input;
    return { commandId, command: this.line, cwd, background, startedAt, exit };
  }

  kill(signal: string): void {
    if (this.exit) return;
    this.killedBy ??= signal;
    this.killer.abort();
  }

  /** The sandbox is gone or stopped: followers learn that, and not an exit. */
  lose(): void {
    this.lost = true;
    this.kill("SIGKILL");
    this.notify();
  }

  /** What was kept, then what comes, then the exit; ends without one when the sandbox goes away or `signal` aborts. */
  async *follow(signal?: AbortSignal): AsyncGenerator<CommandEvent> {
    let position = this.dropped;
    while (!signal?.aborted && !this.lost) {
      const next = this.after(position);
      if (next) {
        position = next.end;
        yield { type: "output", stream: next.stream, bytes: next.bytes };
      } else if (this.exit) {
        yield { type: "exit", ...this.exit };
        return;
      } else {
        await this.change(signal);
      }
    }
  }

  private get line(): string {
    const { command } = this.input;
    return typeof command === "string" ? command : command.join(" ");
  }

  private async run(
    shell: ShellContext,
    programs: readonly { readonly pattern: RegExp; readonly program: FakeProgram }[],
  ): Promise<void> {
    await Promise.resolve();
    let exitCode: number | null = null;
    let error: string | undefined;
    try {
      if (!shell.files.isFolder(shell.cwd)) throw new Error(`The folder ${shell.cwd} does not exist.`);
      // A program of a test may hang for ever; being killed ends the command all the same.
      const killed = new Promise<null>((resolve) => {
        shell.signal.addEventListener("abort", () => resolve(null), { once: true });
      });
      exitCode = await Promise.race([this.start(shell, programs), killed]);
    } catch (cause) {
      if (!this.killedBy) {
        error = String(cause);
        exitCode = 127;
      }
    }
    const exit = {
      exitCode: this.killedBy ? null : exitCode,
      signal: this.killedBy,
      timedOut: this.timedOut,
      droppedBytes: this.dropped,
    };
    this.exit = error === undefined ? exit : { ...exit, error };
    this.notify();
  }

  private async start(
    shell: ShellContext,
    programs: readonly { readonly pattern: RegExp; readonly program: FakeProgram }[],
  ): Promise<number> {
    const scripted = programs.find(({ pattern }) => pattern.test(this.line));
    if (scripted) return scripted.program(shell, this.line);
    const { command } = this.input;
    if (typeof command === "string") return runLine(shell, command);
    const exitCode = await runWords(shell, command);
    // Without a shell in between there is nobody to say 127.
    if (exitCode === 127) throw new Error(`${command[0]}: command not found`);
    return exitCode;
  }

  private say(stream: Output["stream"], bytes: Buffer): void {
    if (this.exit || this.killedBy || bytes.length === 0) return;
    this.kept.push({ stream, bytes });
    this.keptBytes += bytes.length;
    this.said += bytes.length;
    while (this.keptBytes > this.capBytes) {
      const [first, ...others] = this.kept;
      if (!first) break;
      const excess = Math.min(first.bytes.length, this.keptBytes - this.capBytes);
      const rest = first.bytes.subarray(excess);
      this.kept = rest.length > 0 ? [{ stream: first.stream, bytes: rest }, ...others] : others;
      this.keptBytes -= excess;
      this.dropped += excess;
    }
    this.notify();
  }

  private after(position: number): (Output & { readonly end: number }) | null {
    let start = this.said - this.keptBytes;
    for (const { stream, bytes } of this.kept) {
      const end = start + bytes.length;
      if (position < end) return { stream, bytes: bytes.subarray(Math.max(0, position - start)), end };
      start = end;
    }
    return null;
  }

  private notify(): void {
    for (const watcher of [...this.watchers]) watcher();
  }

  private change(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const settle = () => {
        this.watchers.delete(settle);
        signal?.removeEventListener("abort", settle);
        resolve();
      };
      this.watchers.add(settle);
      signal?.addEventListener("abort", settle, { once: true });
    });
  }
}
