import type { UIMessageChunk } from "ai";
import { asToolPart, type ChatPart, fromToolPart, isUnsettled, type ToolPart } from "@/components/chat/message-types";

/** The answer that is being written: its parts, and what must be remembered between two chunks. */
export interface LiveParts {
  parts: ChatPart[];
  /** Text and reasoning that is open, by kind and the id that the stream gave it → index in `parts`. */
  openTexts: Map<string, number>;
}

/** Takes up an answer where a page load left it. */
export function resumeParts(parts: readonly ChatPart[]): LiveParts {
  return { parts: [...parts], openTexts: new Map() };
}

/** Applies one chunk in place, in time that does not depend on the length of the answer. Unknown chunks change nothing. */
export function applyChunk(live: LiveParts, chunk: UIMessageChunk): void {
  switch (chunk.type) {
    case "start-step":
      live.openTexts.clear();
      live.parts.push({ type: "step-start" });
      return;
    case "finish-step":
      live.openTexts.clear();
      return;
    case "reset-step":
      resetStep(live);
      return;
    case "text-start":
      openText(live, "text", chunk.id);
      return;
    case "reasoning-start":
      openText(live, "reasoning", chunk.id);
      return;
    case "text-delta":
      appendText(live, "text", chunk.id, chunk.delta);
      return;
    case "reasoning-delta":
      appendText(live, "reasoning", chunk.id, chunk.delta);
      return;
    case "text-end":
    case "reasoning-end":
      closeText(live, chunk.type === "text-end" ? "text" : "reasoning", chunk.id);
      return;
    case "data-output":
      appendLiveOutput(live, chunk.data);
      return;
    case "tool-input-start":
      startTool(live, { type: `tool-${chunk.toolName}`, toolCallId: chunk.toolCallId, state: "input-streaming" });
      return;
    case "tool-input-available":
      startTool(live, {
        type: `tool-${chunk.toolName}`,
        toolCallId: chunk.toolCallId,
        state: "input-available",
        input: chunk.input,
      });
      return;
    case "tool-input-error":
      startTool(live, {
        type: `tool-${chunk.toolName}`,
        toolCallId: chunk.toolCallId,
        state: "output-error",
        input: chunk.input,
        errorText: chunk.errorText,
      });
      return;
    case "tool-output-available":
      settleTool(live, chunk.toolCallId, (part) => ({
        ...keptOfTool(part),
        state: "output-available",
        output: chunk.output,
        ...(chunk.preliminary ? { preliminary: true } : {}),
      }));
      return;
    case "tool-output-error":
      settleTool(live, chunk.toolCallId, (part) => ({
        ...keptOfTool(part),
        state: "output-error",
        errorText: chunk.errorText,
      }));
      return;
    case "file":
      live.parts.push({ type: "file", url: chunk.url, mediaType: chunk.mediaType });
      return;
    default:
      return;
  }
}

/**
 * Drops what the last step wrote: a new attempt of it begins, even if the first one had come to its end before it was
 * lost. A step of which a tool has answered was saved before that tool ran, so it stays.
 */
export function resetStep(live: LiveParts): void {
  live.openTexts.clear();
  const start = live.parts.findLastIndex((part) => part.type === "step-start");
  if (start < 0) return;
  const saved = live.parts.slice(start).some((part) => asToolPart(part)?.state === "output-available");
  if (!saved) live.parts.length = start;
}

/** Closes what is open when the turn has ended, so that nothing looks as if it were still running. */
export function settleParts(live: LiveParts, unanswered: string): void {
  live.parts = live.parts.map((part) => {
    if ((part.type === "text" || part.type === "reasoning") && part.state === "streaming") {
      return { ...part, state: "done" };
    }
    const tool = asToolPart(part);
    if (!tool || !isUnsettled(tool)) return part;
    return fromToolPart({ ...keptOfTool(tool), state: "output-error", errorText: unanswered });
  });
  live.openTexts.clear();
}

/** Replaces the part of a tool call if there is one; it is searched from the end, where it nearly always is. */
function settleTool(live: LiveParts, toolCallId: string, change: (part: ToolPart) => ToolPart): void {
  const at = findTool(live, toolCallId);
  const part = at < 0 ? undefined : live.parts[at];
  const tool = part && asToolPart(part);
  if (tool) live.parts[at] = fromToolPart(change(tool));
}

/** What stays of a tool part when its state changes. */
function keptOfTool(part: ToolPart): Pick<ToolPart, "type" | "toolCallId" | "input"> {
  return { type: part.type, toolCallId: part.toolCallId, input: part.input };
}

function startTool(live: LiveParts, part: ToolPart): void {
  const at = findTool(live, part.toolCallId);
  if (at < 0) live.parts.push(fromToolPart(part));
  else live.parts[at] = fromToolPart(part);
}

function findTool(live: LiveParts, toolCallId: string): number {
  return live.parts.findLastIndex((part) => asToolPart(part)?.toolCallId === toolCallId);
}

/** Live output of a command, as the server sends it while a tool runs; it is for the person who watches and is not kept. */
function appendLiveOutput(live: LiveParts, data: unknown): void {
  if (typeof data !== "object" || data === null || !("toolCallId" in data) || !("text" in data)) return;
  const { toolCallId, text } = data;
  if (typeof toolCallId !== "string" || typeof text !== "string") return;
  settleTool(live, toolCallId, (part) => ({ ...part, liveOutput: (part.liveOutput ?? "") + text }));
}

type Prose = "text" | "reasoning";

function openText(live: LiveParts, type: Prose, id: string): void {
  live.openTexts.set(`${type}:${id}`, live.parts.length);
  live.parts.push({ type, text: "", state: "streaming" });
}

function appendText(live: LiveParts, type: Prose, id: string, delta: string): void {
  const at = live.openTexts.get(`${type}:${id}`) ?? adoptText(live, type, id);
  const part = live.parts[at];
  if (part?.type === "text" || part?.type === "reasoning") live.parts[at] = { ...part, text: part.text + delta };
}

/** After a page load the open text came with the messages and its id is not known: it is the last part, still streaming. */
function adoptText(live: LiveParts, type: Prose, id: string): number {
  const at = live.parts.length - 1;
  const last = live.parts[at];
  if (last?.type === type && last.state === "streaming") live.openTexts.set(`${type}:${id}`, at);
  else openText(live, type, id);
  return live.parts.length - 1;
}

function closeText(live: LiveParts, type: Prose, id: string): void {
  const at = live.openTexts.get(`${type}:${id}`) ?? live.parts.length - 1;
  const part = live.parts[at];
  if (part?.type === type && part.state === "streaming") live.parts[at] = { ...part, state: "done" };
  live.openTexts.delete(`${type}:${id}`);
}
