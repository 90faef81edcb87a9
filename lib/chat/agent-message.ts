import type { ChatMessage } from "./contract";
import { assistantMessageId } from "./history";
import type { NewEvent } from "./stream-store";
import type { TurnRow } from "./turn-store";

/** The `message` action for what the agent said in a step, for readers that leave deltas out; none for a step without words. */
export function agentMessageEvents(
  turn: Pick<TurnRow, "id">,
  attempt: number,
  parts: ChatMessage["parts"],
): NewEvent[] {
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  if (text.trim() === "") return [];
  return [
    {
      kind: "action",
      name: "message",
      source: "agent",
      turnId: turn.id,
      attempt,
      data: {
        id: assistantMessageId(turn.id),
        status: "delivered",
        text,
        args: { text },
        message: text.trim().slice(0, 200),
      },
    },
  ];
}
