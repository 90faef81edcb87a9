import { z } from "zod";
import { isSandboxError } from "@/lib/sandbox/errors";
import type { CommandExit } from "@/lib/sandbox/provider";
import type { AgentTool, ToolContext, ToolResult } from "../tool";
import { defineTool } from "./define-tool";
import { endedEarly, failed, isLeaseLost, orFailure } from "./failures";
import { OutputWindow } from "./output-window";
import { resolvePath, WORKSPACE } from "./paths";
import { clipLine, storableText } from "./text";

export const BASH_DEFAULT_TIMEOUT_MS = 2 * 60_000;
export const BASH_MAX_TIMEOUT_MS = 30 * 60_000;
/** Of standard output and error together. */
export const BASH_MAX_OUTPUT_CHARS = 50_000;

/** Below the 128 KB that the kernel takes as one argument, whatever the characters. */
const MAX_COMMAND_CHARS = 30_000;
/** What the sandbox keeps for a second execution that attaches later. */
const SANDBOX_KEEPS_BYTES = 1024 * 1024;
const BACKGROUND_WATCH_MS = 2_000;
const KILL_GRACE_MS = 3_000;
/** Written by the start pipeline from the exports of the setup script (design.md, section 4). */
const SETUP_ENV = "/home/user/.dormouse/env.sh";

/**
 * Reads the exports, then becomes a fresh shell for the command. The command is an argument of its own, so no quote,
 * line break or line number in it changes.
 */
const PROLOGUE = `[ -f ${SETUP_ENV} ] && . ${SETUP_ENV} >/dev/null 2>&1; exec /bin/bash -c "$1"`;

const inputSchema = z.strictObject({
  command: z.string().min(1).max(MAX_COMMAND_CHARS).describe("The command line for bash."),
  timeoutMs: z
    .int()
    .min(1)
    .max(BASH_MAX_TIMEOUT_MS)
    .optional()
    .describe("Milliseconds after which the command is killed; 2 minutes if absent, 30 minutes at most."),
  cwd: z.string().min(1).optional().describe("Folder to run in; relative to /workspace, which is the default."),
  background: z
    .boolean()
    .optional()
    .describe("True for a dev server or watcher: returns after 2 seconds and leaves it running, without a time limit."),
});
type BashInput = z.infer<typeof inputSchema>;

/** Runs a command line in the sandbox. Its id is the id of the call, so it survives a restart of the app. */
export const bashTool: AgentTool = defineTool<BashInput>({
  name: "bash",
  description: `Runs a command line with bash in the sandbox and returns stdout, stderr and the exit code. Each call is a new shell that starts in /workspace; variables and cd do not carry over. Output over ${BASH_MAX_OUTPUT_CHARS} characters is cut in the middle. There is no terminal and no input: pass flags that answer questions. For servers use background: true, send their output to a file to read it later, and stop them with kill or pkill.`,
  inputSchema,
  readOnly: false,
  eventName: "run",
  summarize: ({ command, background }) =>
    `${background ? "Started" : "Ran"} ${clipLine(command.trim().replace(/\s*\n[\s\S]*$/, " …"), 120)}`,
  execute: (input, context) => orFailure(context, () => runBash(input, context)),
});

async function runBash(input: BashInput, context: ToolContext): Promise<ToolResult> {
  const { provider, sandboxId, toolCallId } = context;
  if (context.attempt > 1 && !context.sameBoot) return unknownOutcome();

  const cwd = resolvePath(input.cwd ?? WORKSPACE);
  // Only before the first execution: later the folder may be gone by the command's own doing.
  if (input.cwd !== undefined && context.attempt === 1) {
    const stat = await provider.stat(sandboxId, cwd);
    if (stat === null) return failed("not_found", `The folder ${cwd} does not exist.`);
    if (stat.type === "file") return failed("not_a_directory", `${cwd} is a file, not a folder.`);
  }

  const startedAt = performance.now();
  await provider.spawn(sandboxId, {
    commandId: toolCallId,
    command: ["/bin/bash", "-c", PROLOGUE, "bash", input.command],
    cwd,
    outputCapBytes: SANDBOX_KEEPS_BYTES,
    ...(input.background ? { background: true } : { timeoutMs: input.timeoutMs ?? BASH_DEFAULT_TIMEOUT_MS }),
  });

  const output = { stdout: new OutputWindow(BASH_MAX_OUTPUT_CHARS), stderr: new OutputWindow(BASH_MAX_OUTPUT_CHARS) };
  let exit: CommandExit | null;
  try {
    exit = await follow(input, context, output);
  } catch (error) {
    if (context.attempt > 1 && isSandboxError(error, "not_found")) return unknownOutcome();
    throw error;
  }

  const said = { ...renderOutput(output), durationMs: Math.round(performance.now() - startedAt) };
  if (exit === null) {
    if (context.signal.aborted) return endedEarly(context.signal, said);
    return { ok: true, output: { ...said, running: true, exitCode: null } };
  }
  const ended = {
    exitCode: exit.exitCode,
    signal: exit.signal,
    timedOut: exit.timedOut,
    droppedBytes: exit.droppedBytes,
  };
  if (context.signal.aborted) return endedEarly(context.signal, { ...said, ...ended });
  if (exit.error !== undefined) return failed("not_started", storableText(exit.error), { ...said, ...ended });
  if (exit.timedOut) {
    const limit = input.timeoutMs ?? BASH_DEFAULT_TIMEOUT_MS;
    const message = `The command was killed after its time limit of ${limit} ms. Pass a larger timeoutMs (up to ${BASH_MAX_TIMEOUT_MS}), or background: true for what never ends.`;
    return failed("timed_out", message, { ...said, ...ended });
  }
  // A command that fails is an ordinary result: the model reads the exit code.
  return { ok: true, output: { ...said, ...ended, ...(input.background ? { running: false } : {}) } };
}

/**
 * Collects output until the command ends. Null when it goes on: a background command after 2 s, one that could
 * not be killed in time, or one whose lease another process holds now.
 */
async function follow(
  input: BashInput,
  context: ToolContext,
  output: { readonly stdout: OutputWindow; readonly stderr: OutputWindow },
): Promise<CommandExit | null> {
  const { provider, sandboxId, toolCallId, signal } = context;
  const leave = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const after = (ms: number, action: () => void) => timers.push(setTimeout(action, ms));

  const onAbort = () => {
    if (isLeaseLost(signal)) return leave.abort();
    // A kill that fails shows as a command that does not end; then we leave after the second grace.
    provider.kill(sandboxId, toolCallId, "SIGTERM").catch(() => {});
    after(KILL_GRACE_MS, () => {
      provider.kill(sandboxId, toolCallId, "SIGKILL").catch(() => {});
      after(KILL_GRACE_MS, () => leave.abort());
    });
  };
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  if (input.background) after(BACKGROUND_WATCH_MS, () => leave.abort());

  try {
    for await (const event of provider.attach(sandboxId, toolCallId, leave.signal)) {
      if (event.type === "exit") return event;
      const text = output[event.stream].append(event.bytes);
      if (text !== "") context.onOutput(storableText(text));
    }
    return null;
  } catch (error) {
    if (leave.signal.aborted) return null;
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
    for (const timer of timers) clearTimeout(timer);
  }
}

/** Error output gets the room it needs up to one half; what it leaves is for standard output, and the other way round. */
function renderOutput(output: { readonly stdout: OutputWindow; readonly stderr: OutputWindow }) {
  const half = BASH_MAX_OUTPUT_CHARS / 2;
  const { stdout, stderr } = output;
  return {
    stdout: stdout.render(Math.max(half, BASH_MAX_OUTPUT_CHARS - stderr.length)),
    stderr: stderr.render(Math.max(half, BASH_MAX_OUTPUT_CHARS - stdout.length)),
  };
}

function unknownOutcome(): ToolResult {
  return failed(
    "unknown_outcome",
    "The sandbox was restarted while this command ran. It may have run to its end, in part, or not at all. Look at its effects before you run it again.",
  );
}
