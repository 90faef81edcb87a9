import { StepParts } from "@/lib/agent/step-parts";
import type { Tx } from "@/lib/db/client";
import { agentMessageEvents } from "./agent-message";
import { foldDeltas } from "./fold";
import { findChat } from "./store";
import { appendEvents, lastSeq, readDeltas } from "./stream-store";
import { insertStep, listSteps, type TurnRow } from "./turn-store";

/**
 * Keeps what a step had said when it was stopped, failed or lost its process: the stored deltas after the last finished
 * step become a step of their own. So no turn loses its first 39 steps, nor the half of its fortieth.
 */
export async function savePartialStep(tx: Tx, turn: TurnRow, finishReason: string): Promise<void> {
  const steps = await listSteps(tx, [turn.id]);
  const last = steps.at(-1);
  const deltas = await readDeltas(tx, turn.chatId, turn.id, last?.seq ?? 0);
  const parts = foldDeltas(deltas, new StepParts()).partial();
  if (parts.length === 0) return;
  const chat = await findChat(tx, turn.chatId);
  await insertStep(tx, {
    turnId: turn.id,
    step: (last?.step ?? -1) + 1,
    parts,
    finishReason,
    usage: null,
    costUsd: null,
    model: chat?.model ?? "",
    attempt: turn.attempt,
    seq: await lastSeq(tx, turn.chatId),
  });
  await appendEvents(tx, turn.chatId, agentMessageEvents(turn, turn.attempt, parts));
}
