import { findTool } from "@/lib/agent/toolbox";
import type { Tx } from "@/lib/db/client";
import { dbNow } from "@/lib/db/time";
import { afterPerson } from "./limits";
import { appendEvents, type NewEvent } from "./stream-store";
import { listToolCalls, patchToolCall, patchTurn, type ToolCallRow, type TurnRow } from "./turn-store";

/** The events that tell the outcome of a tool call: one observation, and the chunk that settles its part. */
export function outcomeEvents(
  turn: Pick<TurnRow, "id" | "attempt">,
  call: ToolCallRow,
  ok: boolean,
  output: Readonly<Record<string, unknown>>,
): NewEvent[] {
  const name = findTool(call.name)?.eventName ?? call.name;
  const events: NewEvent[] = [];
  if (call.actionSeq !== null) {
    events.push({
      kind: "observation",
      name,
      source: call.name === "ask_user_question" ? "user" : "agent",
      turnId: turn.id,
      attempt: turn.attempt,
      data: { toolCallId: call.id, cause: call.actionSeq, ok, result: output, message: describeOutcome(ok, output) },
    });
  }
  const chunk = { type: "tool-output-available", toolCallId: call.id, output };
  events.push({
    kind: "delta",
    name: "chunk",
    source: "agent",
    turnId: turn.id,
    attempt: turn.attempt,
    data: { chunk },
  });
  return events;
}

function describeOutcome(ok: boolean, output: Readonly<Record<string, unknown>>): string {
  if (!ok) return typeof output.message === "string" ? output.message : String(output.error ?? "failed");
  if (typeof output.exitCode === "number") return `exit code ${output.exitCode}`;
  if (typeof output.answer === "string") return output.answer.slice(0, 200);
  return "done";
}

/** Settles a tool call for good and tells it. */
export async function settleCall(
  tx: Tx,
  turn: TurnRow,
  call: ToolCallRow,
  ok: boolean,
  output: Readonly<Record<string, unknown>>,
): Promise<void> {
  await patchToolCall(tx, turn.id, call.id, { state: "done", ok, output, endedAt: dbNow });
  await appendEvents(tx, turn.chatId, outcomeEvents(turn, call, ok, output));
}

/** Hands a person's answer to the question that the turn waits on; the reconciler lets the turn go on. */
export async function answerQuestion(tx: Tx, turn: TurnRow, toolCallId: string, answer: string): Promise<void> {
  const call = (await listToolCalls(tx, [turn.id])).find((row) => row.id === toolCallId && row.state !== "done");
  if (call) await settleCall(tx, turn, call, true, { answer });
  await patchTurn(tx, turn.id, {
    waiting: null,
    reason: "Goes on with your answer.",
    stuck: await afterPerson(tx, turn),
  });
}

const CLOSED = {
  stopped: "The person stopped this before it ended.",
  interrupted: "The app was restarted too often while this ran; it is not known how far it came.",
} as const;

/** Gives every open tool call of a turn its one observation before the turn ends. */
export async function closeOpenCalls(tx: Tx, turn: TurnRow, why: keyof typeof CLOSED): Promise<void> {
  for (const call of await listToolCalls(tx, [turn.id])) {
    if (call.state !== "done") await settleCall(tx, turn, call, false, { error: why, message: CLOSED[why] });
  }
}
