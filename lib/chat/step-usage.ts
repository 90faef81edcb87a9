import type { ModelStep } from "@/lib/agent/run-step";
import type { Tx } from "@/lib/db/client";
import { type Execution, fence } from "@/lib/db/lease";
import type { Deps } from "@/lib/deps";
import { newId } from "@/lib/kernel/ids";
import type { StepUsage } from "@/lib/model/contract";
import { estimatedUsage, NO_USAGE, tokensOfChars } from "@/lib/model/estimate";
import {
  type CallEnd,
  closeCall,
  listOpenCalls,
  openCall,
  totalsOfSession,
  totalsOfTurn,
} from "@/lib/model/ledger-store";
import type { UsableModel } from "@/lib/model/port";
import type { CallOutcome } from "@/lib/usage/contract";
import { appendEvents, readDeltas } from "./stream-store";
import { listSteps, patchTurn, type TurnRow } from "./turn-store";

/** A call that is under way, as the ledger knows it. */
export interface StepCall {
  readonly id: string;
  readonly promptTokens: number;
}

/**
 * Writes the call down before it is made, so that a crash in the middle of it cannot hide what it cost, and settles what an
 * earlier process left open.
 */
export async function openStepCall(
  deps: Deps,
  execution: Execution,
  turn: TurnRow,
  step: number,
  userId: string,
  found: UsableModel,
  prompt: { readonly chars: number; readonly tokens: number },
): Promise<StepCall> {
  const id = newId();
  await deps.db.transaction(async (tx) => {
    await fence(tx, execution);
    await settleLostCalls(tx, turn, found);
    await openCall(tx, {
      id,
      userId,
      sessionId: turn.sessionId,
      chatId: turn.chatId,
      turnId: turn.id,
      step,
      attempt: execution.attempt,
      purpose: "step",
      model: found.info.ref,
      inputTokens: prompt.tokens,
      costUsd: found.costOf(estimatedUsage(prompt.tokens, 0)),
      promptChars: prompt.chars,
    });
  });
  return { id, promptTokens: prompt.tokens };
}

/** Failures before the provider did any work: nothing was spent. */
const FREE: ReadonlySet<string> = new Set([
  "rate_limit",
  "overloaded",
  "auth",
  "quota",
  "context_too_long",
  "unknown_model",
  "config",
]);

/**
 * Writes down what a call used. When the provider did not say, because the answer was stopped or broke off, it is estimated:
 * the prompt was taken in and so much was said. The turn's own sum follows.
 */
export async function closeStepCall(
  tx: Tx,
  turn: Pick<TurnRow, "id">,
  call: StepCall,
  found: UsableModel,
  step: ModelStep,
): Promise<CallEnd> {
  const outcome: CallOutcome = step.failure === null ? "done" : step.failure.class === "stopped" ? "stopped" : "failed";
  const saidChars = charsSaid(step.parts);
  const free = step.failure !== null && FREE.has(step.failure.class) && saidChars === 0;
  const usage: StepUsage = step.usage ?? (free ? NO_USAGE : estimatedUsage(call.promptTokens, saidChars));
  const end = { usage, costUsd: found.costOf(usage), estimated: step.usage === null && !free, outcome };
  await closeCall(tx, call.id, end);
  await sumUpTurn(tx, turn.id);
  return end;
}

async function settleLostCalls(tx: Tx, turn: TurnRow, found: UsableModel): Promise<void> {
  const open = await listOpenCalls(tx, turn.id);
  if (open.length === 0) return;
  const after = (await listSteps(tx, [turn.id])).at(-1)?.seq ?? 0;
  const deltas = await readDeltas(tx, turn.chatId, turn.id, after);
  const saidChars = deltas.reduce((sum, event) => sum + deltaChars(event.chunk), 0);
  for (const call of open) {
    const usage = { ...estimatedUsage(call.inputTokens, 0), outputTokens: tokensOfChars(saidChars) };
    // A summary that was lost said nothing that is stored.
    const counted = call.purpose === "step" ? usage : estimatedUsage(call.inputTokens, 0);
    const costUsd = call.model === found.info.ref ? found.costOf(counted) : call.costUsd;
    await closeCall(tx, call.id, { usage: counted, costUsd, estimated: true, outcome: "lost" });
  }
  await sumUpTurn(tx, turn.id);
}

/** The turn costs what its calls cost. */
export async function sumUpTurn(tx: Tx, turnId: string): Promise<void> {
  const { costUsd } = await totalsOfTurn(tx, turnId);
  if (costUsd !== null) await patchTurn(tx, turnId, { costUsd });
}

/** Tells readers what a step used, and the sums of its turn and session. */
export async function tellUsage(tx: Tx, turn: TurnRow, found: UsableModel, end: CallEnd): Promise<void> {
  const { usage, costUsd, estimated } = end;
  const [ofTurn, ofSession] = [await totalsOfTurn(tx, turn.id), await totalsOfSession(tx, turn.sessionId)];
  await appendEvents(tx, turn.chatId, [
    {
      kind: "state",
      name: "usage",
      source: "system",
      turnId: turn.id,
      data: {
        usage,
        costUsd,
        estimated,
        model: found.info.ref,
        context: { usedTokens: usage.inputTokens + usage.outputTokens, windowTokens: found.info.contextTokens },
        turn: ofTurn,
        session: ofSession,
      },
    },
  ]);
}

function charsSaid(parts: ModelStep["parts"]): number {
  return parts.reduce((sum, part) => {
    if (part.type === "text" || part.type === "reasoning") return sum + part.text.length;
    return "input" in part ? sum + JSON.stringify(part.input ?? "").length : sum;
  }, 0);
}

function deltaChars(chunk: unknown): number {
  if (typeof chunk !== "object" || chunk === null) return 0;
  const text = "delta" in chunk ? chunk.delta : "inputTextDelta" in chunk ? chunk.inputTextDelta : "";
  return typeof text === "string" ? text.length : 0;
}
