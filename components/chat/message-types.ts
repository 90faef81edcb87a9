import type { ChatMessage } from "@/lib/chat/contract";

export type ChatPart = ChatMessage["parts"][number];

/** What the page needs to know of a `tool-<name>` part, in one shape for all tools and states. */
export interface ToolPart {
  readonly type: `tool-${string}`;
  readonly toolCallId: string;
  readonly state: "input-streaming" | "input-available" | "output-available" | "output-error";
  readonly input?: unknown;
  readonly output?: unknown;
  readonly errorText?: string;
  /** Output that is still growing. */
  readonly preliminary?: boolean;
  /** What a running command has written since this page looks on; the result itself comes with `output`. */
  readonly liveOutput?: string;
}

/** Narrows a part to the tools' shape; their inputs and outputs stay unknown, because they come from the agent. */
export function asToolPart(part: ChatPart): ToolPart | null {
  return part.type.startsWith("tool-") ? (part as ToolPart) : null;
}

/** The SDK's own type for what `ToolPart` describes: its union per tool cannot be built for names known at run time. */
export function fromToolPart(part: ToolPart): ChatPart {
  return part as ChatPart;
}

/** Whether a tool has not answered yet. */
export function isUnsettled(part: ToolPart): boolean {
  return part.state === "input-streaming" || part.state === "input-available" || part.preliminary === true;
}

/** All text of a message, as a person would read it. */
export function textOf(message: ChatMessage): string {
  return message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}
