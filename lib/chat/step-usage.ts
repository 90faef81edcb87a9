import type { ModelStep } from "@/lib/agent/run-step";
import type { Tx } from "@/lib/db/client";
import { type Execution, fence } from "@/lib/db/lease";
import type { Deps } from "@/lib/deps";
import { newId } from "@/lib/kernel/ids";
import type { StepUsage } from "@/lib/model/contract";
import { estimatedUsage, NO_USAGE } from "@/lib/model/estimate";
import { type CallEnd, closeCall, openCall, totalsOfSession, totalsOfTurn } from "@/lib/model/ledger-store";
import type { UsableModel } from "@/lib/model/port";
import type { CallOutcome } from "@/lib/usage/contract";
import { appendEvents } from "./stream-store";
import { patchTurn, type TurnRow } from "./turn-store";

/** A call that is under way, as the ledger knows it. */
export interface StepCall {
  readonly id: string;
  readonly promptTokens: number;
}

/** Writes the call down before it is made, so that a crash in the middle of it cannot hide what it cost. */
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
