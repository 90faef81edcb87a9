import { findTool } from "@/lib/agent/toolbox";
import type { Tx } from "@/lib/db/client";
import type { Execution } from "@/lib/db/lease";
import { dbNow } from "@/lib/db/time";
import { appendEvents } from "./stream-store";
import { patchToolCall, type ToolCallRow, type TurnRow } from "./turn-store";

/**
 * Marks a tool call as running before anything happens, with its one action event. `bootId` names the sandbox's boot in which
 * the first attempt begins; after another boot its outcome is unknown.
 */
export async function beginCall(
  tx: Tx,
  turn: TurnRow,
  call: ToolCallRow,
  execution: Execution,
  bootId: string | null,
): Promise<ToolCallRow> {
  const tool = findTool(call.name);
  const actionSeq =
    call.actionSeq ??
    (await appendEvents(tx, turn.chatId, [
      {
        kind: "action",
        name: tool?.eventName ?? call.name,
        source: "agent",
        turnId: turn.id,
        attempt: execution.attempt,
        data: {
          toolCallId: call.id,
          tool: call.name,
          args: call.input,
          message: tool ? tool.summarize(call.input) : call.name,
        },
      },
    ]));
  const begun = { state: "running" as const, attempts: call.attempts + 1, bootId: call.bootId ?? bootId, actionSeq };
  await patchToolCall(tx, turn.id, call.id, { ...begun, ...(call.startedAt ? {} : { startedAt: dbNow }) });
  return { ...call, ...begun };
}
