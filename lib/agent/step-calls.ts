import { NoSuchToolError, type TextStreamPart, type ToolSet, tool as toSdkTool, type UIMessageChunk } from "ai";
import type { AgentTool } from "./tool";
import { parseToolInput } from "./tool-input";
import { storableJson } from "./tools/text";

export interface StepToolCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  /** Set when the call cannot be executed: its class, and words for the model. The part is already settled with them. */
  readonly invalid?: { readonly class: "bad_arguments" | "unknown_tool"; readonly words: string };
}

/** The tools as the SDK takes them: offered to the model, without an execution. */
export function toSdkTools(tools: readonly AgentTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [name, toSdkTool({ description, inputSchema })]),
  );
}

type ToolCallPart = Extract<TextStreamPart<ToolSet>, { type: "tool-call" }>;

/** A call as the model made it; `invalid` is set when it cannot be executed. */
export function readToolCall(part: ToolCallPart, tools: readonly AgentTool[]): StepToolCall {
  return toStorable(readAsMade(part, tools));
}

function readAsMade(part: ToolCallPart, tools: readonly AgentTool[]): StepToolCall {
  const { toolCallId, toolName } = part;
  if (!("invalid" in part) || part.invalid !== true) return { toolCallId, toolName, input: part.input };
  // Providers take only objects as the input of a call in the history.
  const readable = typeof part.input === "object" && part.input !== null && !Array.isArray(part.input);
  const input: unknown = readable ? part.input : { unreadable: part.input };
  const invalidCall = (failure: "bad_arguments" | "unknown_tool", words: string): StepToolCall => ({
    toolCallId,
    toolName,
    input,
    invalid: { class: failure, words },
  });
  const known = tools.find((tool) => tool.name === toolName);
  if (known === undefined || NoSuchToolError.isInstance(part.error)) {
    const names = tools.map((tool) => tool.name).join(", ");
    return invalidCall("unknown_tool", `There is no tool named ${toolName}. The tools are: ${names}.`);
  }
  if (typeof part.input === "string") {
    return invalidCall("bad_arguments", `The input of ${toolName} is not valid JSON. Call the tool again.`);
  }
  const parsed = parseToolInput(known, part.input);
  return invalidCall(
    "bad_arguments",
    parsed.ok ? `The input of ${toolName} could not be read. Call the tool again.` : parsed.error,
  );
}

/** A character that rows cannot hold would be lost on the way to the tool, so the call is refused instead. */
function toStorable(call: StepToolCall): StepToolCall {
  const input = storableJson(call.input);
  if (input === call.input || call.invalid !== undefined) return { ...call, input };
  const words = `The input of ${call.toolName} holds a NUL character or half of a surrogate pair. Make such bytes with a command, for example printf.`;
  return { ...call, input, invalid: { class: "bad_arguments", words } };
}

/** The one chunk that tells a reader of the stream about a complete call. */
export function chunkOfCall(call: StepToolCall, metadata: ToolCallPart["providerMetadata"]): UIMessageChunk {
  const { toolCallId, toolName, input, invalid } = call;
  const providerMetadata = metadata === undefined ? {} : { providerMetadata: metadata };
  return invalid === undefined
    ? { type: "tool-input-available", toolCallId, toolName, input, ...providerMetadata }
    : { type: "tool-input-error", toolCallId, toolName, input, errorText: invalid.words, ...providerMetadata };
}
