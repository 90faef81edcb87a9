import type { ModelStep } from "@/lib/agent/run-step";
import type { Tx } from "@/lib/db/client";
import { END, type Execution, fence } from "@/lib/db/lease";
import type { UsableModel } from "@/lib/model/port";
import { lockSandbox } from "@/lib/sandbox/store";
import { agentMessageEvents } from "./agent-message";
import { settleCall } from "./answer";
import { beginCall } from "./begin-call";
import type { Prompt } from "./prompt-history";
import { closeStepCall, type StepCall, tellUsage } from "./step-usage";
import { appendEvents, lastSeq } from "./stream-store";
import { nextAfterFence, type TurnNext } from "./turn-service";
import { findTurn, insertStep, insertToolCalls, listToolCalls, patchTurn } from "./turn-store";

/** A step that succeeded, with the call that made it. */
export interface MadeStep {
  readonly step: ModelStep;
  readonly index: number;
  readonly found: UsableModel;
  readonly call: StepCall;
  readonly prompt: Prompt;
}

/** Stores a step that succeeded, its tool calls and what it cost, and answers what comes next. */
export async function saveStep(tx: Tx, execution: Execution, made: MadeStep): Promise<TurnNext> {
  const { step, index, found, call } = made;
  const seen = await findTurn(tx, execution.id);
  if (!seen) return END;
  await lockSandbox(tx, seen.sandboxId);
  await fence(tx, execution);
  const end = await closeStepCall(tx, seen, call, found, step);
  await insertStep(tx, {
    turnId: seen.id,
    step: index,
    parts: step.parts,
    finishReason: step.finishReason ?? "stop",
    usage: step.usage,
    costUsd: end.costUsd,
    model: found.info.ref,
    attempt: execution.attempt,
    seq: await lastSeq(tx, seen.chatId),
  });
  await appendEvents(tx, seen.chatId, agentMessageEvents(seen, execution.attempt, step.parts));
  await insertToolCalls(
    tx,
    step.toolCalls.map((made, position) => ({
      turnId: seen.id,
      id: made.toolCallId,
      step: index,
      position,
      name: made.toolName,
      input: made.input,
    })),
  );
  await patchTurn(tx, seen.id, { failures: 0, lost: 0, retryAt: null, reason: null });
  await tellUsage(tx, seen, found, end);
  for (const { toolCallId, invalid } of step.toolCalls) {
    const row = invalid && (await listToolCalls(tx, [seen.id])).find((stored) => stored.id === toolCallId);
    if (invalid && row)
      await settleCall(tx, seen, await beginCall(tx, seen, row, execution, null), false, {
        error: invalid.class,
        message: invalid.words,
      });
  }
  return nextAfterFence(tx, execution);
}
