import { LEASE_LOST, type ToolContext, type ToolResult } from "@/lib/agent/tool";
import { findTool } from "@/lib/agent/toolbox";
import { endedEarly } from "@/lib/agent/tools/failures";
import { END, type Execution, fence, LeaseLost, type RunRef, waitMs, withLease } from "@/lib/db/lease";
import type { Deps } from "@/lib/deps";
import { crashPoint } from "@/lib/kernel/crash-points";
import { errorText } from "@/lib/kernel/log";
import { orAborted } from "@/lib/kernel/retry";
import { reportLost } from "@/lib/sandbox/service";
import { findSandbox, lockSandbox, providerId, type SandboxRow } from "@/lib/sandbox/store";
import { settleCall } from "./answer";
import { beginCall } from "./begin-call";
import { ChunkWriter } from "./chunk-writer";
import { watchStop } from "./stop-signal";
import { patchChat } from "./store";
import { TOOL_TRIES } from "./turn";
import { nextOf, readProgress, type TurnNext } from "./turn-service";
import { findTurn, lockTurn, patchTurn, type ToolCallRow, type TurnRow } from "./turn-store";

/** Live output that is shown per call; the result itself has its own limit. */
const LIVE_OUTPUT_CHARS = 50_000;
const WAIT_FOR_SANDBOX_MS = 500;
/** Of the two seconds that Stop may take (properties.md, R15). */
const STOP_GRACE_MS = 1_200;

/** Runs the tool calls that are next: one that writes, or several that only read. */
export async function runToolTurnStep(deps: Deps, ref: RunRef): Promise<TurnNext> {
  return withLease<TurnNext>(deps.db, "turns", ref, deps.owner, async (execution) => {
    const turn = await findTurn(deps.db, ref.id);
    if (turn?.state !== "running") return END;
    const { calls, decision } = await deps.db.transaction((tx) => readProgress(tx, turn));
    if (decision.do === "tools") {
      const ready = await sandboxForTools(deps, turn);
      if (ready === "wait") return waitMs(WAIT_FOR_SANDBOX_MS);
      const chosen = calls.filter((call) => decision.callIds.includes(call.id));
      const begun = await deps.db.transaction(async (tx) => {
        await fence(tx, execution);
        const rows: ToolCallRow[] = [];
        for (const call of chosen) rows.push(await beginCall(tx, turn, call, execution, ready?.bootId ?? null));
        return rows;
      });
      const results = await executeAll(deps, execution, turn, begun, ready);
      crashPoint("turn.before-tool-commit");
      await deps.db.transaction(async (tx) => {
        await fence(tx, execution);
        for (const [index, call] of begun.entries()) {
          const result = results[index];
          if (result) await settleCall(tx, turn, call, result.ok, result.output);
        }
        await patchTurn(tx, turn.id, { lost: 0 });
      });
      crashPoint("turn.after-tool-commit");
    }
    return deps.db.transaction(async (tx): Promise<TurnNext> => {
      await lockSandbox(tx, turn.sandboxId);
      await fence(tx, execution);
      const now = await lockTurn(tx, ref.id);
      return now?.state === "running" ? nextOf(tx, await readProgress(tx, now), execution) : END;
    });
  });
}

interface ReadySandbox {
  readonly id: string;
  readonly bootId: string | null;
}

/** The sandbox if tools can run in it; `wait` while it comes back; null when it will not. */
async function sandboxForTools(deps: Deps, turn: TurnRow): Promise<ReadySandbox | "wait" | null> {
  const row = await findSandbox(deps.db, turn.sandboxId);
  if (!row || turn.stopRequested || row.state === "failed" || row.state === "archiving" || row.state === "archived")
    return null;
  if (row.state !== "active") return "wait";
  const peek = await deps.provider.peek(providerId(row)).catch(() => null);
  if (peek?.state === "running") return { id: providerId(row), bootId: peek.bootId };
  if (peek) await reportLost(deps, row);
  return "wait";
}

async function executeAll(
  deps: Deps,
  execution: Execution,
  turn: TurnRow,
  calls: readonly ToolCallRow[],
  sandbox: ReadySandbox | null,
): Promise<ToolResult[]> {
  const stop = watchStop(deps, execution);
  const writer = new ChunkWriter(deps.db, execution, { chatId: turn.chatId, turnId: turn.id }, () =>
    crashPoint("turn.mid-tool"),
  );
  try {
    const results = await Promise.all(calls.map((call) => executeOne(deps, turn, call, sandbox, stop.signal, writer)));
    if (stop.signal.reason === LEASE_LOST) throw new LeaseLost();
    await writer.close();
    if (results.some((result) => result.output.error === "sandbox_gone")) {
      const row: SandboxRow | null = await findSandbox(deps.db, turn.sandboxId);
      if (row) await reportLost(deps, row);
    }
    return results;
  } finally {
    stop.close();
  }
}

async function executeOne(
  deps: Deps,
  turn: TurnRow,
  call: ToolCallRow,
  sandbox: ReadySandbox | null,
  signal: AbortSignal,
  writer: ChunkWriter,
): Promise<ToolResult> {
  const tool = findTool(call.name);
  if (!tool) return failure("unknown_tool", `There is no tool named ${call.name}.`);
  if (!sandbox) return failure("no_sandbox", "The sandbox is not there any more; this was not run.");
  if (call.attempts > TOOL_TRIES)
    return failure(
      "unknown_outcome",
      "The app was restarted each time while this ran. Look at what it did before you do it again.",
    );
  const parsed = tool.inputSchema.safeParse(call.input);
  if (!parsed.success) return failure("invalid_call", "The input of this call is not valid.");
  let shown = 0;
  const context: ToolContext = {
    provider: deps.provider,
    sandboxId: sandbox.id,
    toolCallId: call.id,
    attempt: call.attempts,
    sameBoot: call.bootId === sandbox.bootId,
    signal,
    onOutput: (text) => {
      if (shown >= LIVE_OUTPUT_CHARS) return;
      shown += text.length;
      writer.push({ type: "data-output", id: call.id, data: { toolCallId: call.id, text }, transient: true });
    },
    saveTodos: (todos) => patchChat(deps.db, turn.chatId, { todos: [...todos] }),
  };
  try {
    return (await orAborted(tool.execute(parsed.data, context), afterGrace(signal))) ?? endedEarly(signal);
  } catch (error) {
    deps.log.error("tool failed unexpectedly", { tool: call.name, turnId: turn.id, error: errorText(error) });
    return failure("internal", "The tool failed for a reason of its own. Try another way.");
  }
}

/** Fires a while after `signal`: a tool may say how far it came, but Stop does not wait for a sandbox that does not answer. */
function afterGrace(signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  const begin = () => setTimeout(() => late.abort(), STOP_GRACE_MS).unref();
  if (signal.aborted) begin();
  else signal.addEventListener("abort", begin, { once: true });
  return late.signal;
}

function failure(error: string, message: string): ToolResult {
  return { ok: false, output: { error, message } };
}
