import { randomInt } from "node:crypto";
import type { TextStreamPart, ToolSet } from "ai";

type Part = TextStreamPart<ToolSet>;

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/** Exactly so long, without a dash: Mistral refuses a history with any other id, and everybody else takes these. */
const LENGTH = 9;

/** A fresh id of a tool call: the key of its row, the id of its command in the sandbox, and what providers see of it later. */
export function newCallId(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
}

/**
 * Gives each call of one step an id of ours. A provider's own says nothing beyond its answer: some servers count from
 * `call_0` in each, and an id that comes again would be taken for the call before.
 */
export function withOwnCallIds(): (part: Part) => Part {
  const ids = new Map<string, string>();
  const own = (id: string) => {
    const known = ids.get(id) ?? newCallId();
    ids.set(id, known);
    return known;
  };
  return (part) => {
    if ("toolCallId" in part) return { ...part, toolCallId: own(part.toolCallId) };
    switch (part.type) {
      case "tool-input-start":
      case "tool-input-delta":
      case "tool-input-end":
        return { ...part, id: own(part.id) };
      default:
        return part;
    }
  };
}
