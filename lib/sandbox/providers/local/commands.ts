import { z } from "zod";
import { SandboxError } from "@/lib/sandbox/errors";
import type { CommandEvent, CommandExit, CommandInfo, ExecResult, ExecSpec, SpawnSpec } from "@/lib/sandbox/provider";
import { AgentFailure, callAgent, commandExit, parseReply } from "./agent-calls";
import { AgentLost, connectAgent, FRAME, readFrames, sendRequest } from "./agent-link";

/** Commands in a running sandbox; `folder` is where its control socket lies. Errors: `AgentLost`, `SandboxError`. */

const MIB = 1024 * 1024;
const SPAWN_CAP_BYTES = MIB;
const EXEC_CAP_BYTES = 8 * MIB;
const MAX_CAP_BYTES = 64 * MIB;
/** How long after its own deadline an agent may take to say that a command is over. */
const EXIT_GRACE_MS = 5_000;
/** The agent waits 1.5 s between SIGTERM and SIGKILL. */
const KILL_TIMEOUT_MS = 5_000;

const nothing = z.object({});
const exitReply = z.object({ exit: commandExit });

const commandList = z.object({
  commands: z.array(
    z.object({
      commandId: z.string(),
      command: z.string(),
      cwd: z.string(),
      background: z.boolean(),
      startedAt: z.number(),
      exit: commandExit.nullable(),
    }),
  ),
});

export async function spawnCommand(folder: string, spec: SpawnSpec): Promise<void> {
  if (spec.commandId === "" || spec.commandId.length > 200) {
    throw new SandboxError("permanent", "A command id has 1 to 200 characters.", { reason: "bad_command" });
  }
  await callAgent(
    folder,
    {
      op: "spawn",
      commandId: spec.commandId,
      ...commandFields(spec, SPAWN_CAP_BYTES),
      background: spec.background ?? false,
    },
    nothing,
  );
}

/** Sends the command and its input, gives the output on, and kills the command when `spec.signal` aborts. */
export async function execCommand(folder: string, spec: ExecSpec): Promise<ExecResult> {
  const cap = capOf(spec.outputCapBytes, EXEC_CAP_BYTES);
  const stdin = spec.stdin === undefined ? null : Buffer.from(spec.stdin);
  const fields = commandFields(spec, EXEC_CAP_BYTES);
  if (spec.signal?.aborted) throw aborted();
  const socket = await connectAgent(folder);
  const timers: NodeJS.Timeout[] = [];
  const giveUpAfter = (ms: number) => timers.push(setTimeout(() => socket.destroy(), ms));
  // Hanging up one way tells the agent to kill the command; its last frame then proves that it is dead.
  const abort = () => {
    socket.end();
    giveUpAfter(EXIT_GRACE_MS);
  };
  spec.signal?.addEventListener("abort", abort, { once: true });
  if (spec.timeoutMs !== undefined) giveUpAfter(spec.timeoutMs + EXIT_GRACE_MS);
  const output = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  let received = 0;
  try {
    sendRequest(socket, { op: "exec", ...fields, stdinBytes: stdin?.length ?? null }, stdin ?? undefined);
    if (spec.signal?.aborted) abort();
    for await (const frame of readFrames(socket)) {
      if (frame.type === FRAME.end) {
        if (spec.signal?.aborted) throw aborted();
        const { exit } = parseReply(frame.payload, exitReply);
        return { ...toExit(exit), stdout: Buffer.concat(output.stdout), stderr: Buffer.concat(output.stderr) };
      }
      const stream = streamOf(frame.type);
      received += frame.payload.length;
      if (!stream || received > cap) throw new AgentLost("the agent sent more than it may");
      output[stream].push(frame.payload);
      spec.onOutput?.(stream, frame.payload);
    }
    throw new AgentLost("the agent hung up");
  } catch (error) {
    if (spec.signal?.aborted) throw aborted();
    throw error;
  } finally {
    spec.signal?.removeEventListener("abort", abort);
    for (const timer of timers) clearTimeout(timer);
    socket.destroy();
  }
}

/** Throws `not_found` for a command that the agent does not know. Ends without an exit when `signal` aborts. */
export async function* attachCommand(
  folder: string,
  commandId: string,
  signal?: AbortSignal,
): AsyncGenerator<CommandEvent> {
  if (signal?.aborted) return;
  const socket = await connectAgent(folder);
  const leave = () => socket.destroy();
  signal?.addEventListener("abort", leave, { once: true });
  try {
    sendRequest(socket, { op: "attach", commandId });
    for await (const frame of readFrames(socket)) {
      if (signal?.aborted) return;
      if (frame.type === FRAME.end) {
        yield { type: "exit", ...toExit(parseReply(frame.payload, exitReply).exit) };
        return;
      }
      const stream = streamOf(frame.type);
      if (!stream) throw new AgentLost("the agent sent nonsense");
      yield { type: "output", stream, bytes: frame.payload };
    }
  } catch (error) {
    if (signal?.aborted) return;
    if (error instanceof AgentFailure && error.code === "ENOCOMMAND") {
      throw new SandboxError("not_found", "The sandbox does not know this command.", { reason: "unknown_command" });
    }
    throw error;
  } finally {
    signal?.removeEventListener("abort", leave);
    socket.destroy();
  }
}

export async function killCommand(folder: string, commandId: string, signal: string): Promise<void> {
  try {
    await callAgent(folder, { op: "kill", commandId, signal }, nothing, { timeoutMs: KILL_TIMEOUT_MS });
  } catch (error) {
    if (!(error instanceof AgentFailure)) throw error;
    throw new SandboxError("transient", "The command does not die.", { reason: "still_alive" });
  }
}

export async function listCommands(folder: string): Promise<CommandInfo[]> {
  const { commands } = await callAgent(folder, { op: "commands" }, commandList);
  return commands.map((each) => ({
    ...each,
    startedAt: new Date(each.startedAt),
    exit: each.exit && toExit(each.exit),
  }));
}

function commandFields(spec: ExecSpec | SpawnSpec, capBytes: number) {
  const parts = typeof spec.command === "string" ? [spec.command] : spec.command;
  const cwd = spec.cwd ?? "/workspace";
  if (parts.length === 0 || parts[0] === "" || [...parts, cwd].some((part) => part.includes("\0"))) {
    throw new SandboxError("permanent", "The command is empty or contains a NUL.", { reason: "bad_command" });
  }
  return {
    command: spec.command,
    cwd,
    env: spec.env ?? {},
    timeoutMs: spec.timeoutMs ?? null,
    cap: capOf(spec.outputCapBytes, capBytes),
  };
}

function capOf(bytes: number | undefined, usual: number): number {
  return Math.max(0, Math.min(bytes ?? usual, MAX_CAP_BYTES));
}

function streamOf(type: number): "stdout" | "stderr" | null {
  return type === FRAME.stdout ? "stdout" : type === FRAME.stderr ? "stderr" : null;
}

/** The shape of the port, in which an absent error is an absent key. */
function toExit({ error, ...exit }: z.infer<typeof commandExit>): CommandExit {
  return error === undefined ? exit : { ...exit, error };
}

function aborted(): SandboxError {
  return new SandboxError("transient", "The command was stopped.", { reason: "aborted" });
}
