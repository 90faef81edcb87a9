import type { ReasoningUIPart, TextUIPart, UIMessage, UIMessageChunk } from "ai";

type Part = UIMessage["parts"][number];

const NOT_MADE = "This call was not made: the step ended before it could run.";

/**
 * Folds the chunks of one model step into the parts of the message, in time linear in their number. (The SDK's
 * own reader copies the whole message for each chunk.) Tool inputs are taken whole when they are complete; the
 * pieces before are for the person who watches and are not kept.
 */
export class StepParts {
  readonly #parts: Part[] = [];
  readonly #open = new Map<string, TextUIPart | ReasoningUIPart>();

  add(chunk: UIMessageChunk): void {
    switch (chunk.type) {
      case "start-step":
        this.#parts.push({ type: "step-start" });
        break;
      case "text-start":
      case "reasoning-start": {
        const kind = chunk.type === "text-start" ? "text" : "reasoning";
        const part: TextUIPart | ReasoningUIPart = { type: kind, text: "", state: "streaming" };
        if (chunk.providerMetadata) part.providerMetadata = chunk.providerMetadata;
        this.#open.set(`${kind}:${chunk.id}`, part);
        this.#parts.push(part);
        break;
      }
      case "text-delta":
      case "reasoning-delta":
      case "text-end":
      case "reasoning-end": {
        const key = `${chunk.type.startsWith("text") ? "text" : "reasoning"}:${chunk.id}`;
        const part = this.#open.get(key);
        if (part === undefined) break;
        if (chunk.providerMetadata) part.providerMetadata = chunk.providerMetadata;
        if ("delta" in chunk) part.text += chunk.delta;
        else {
          part.state = "done";
          this.#open.delete(key);
        }
        break;
      }
      case "tool-input-available":
        this.#parts.push({
          type: `tool-${chunk.toolName}`,
          toolCallId: chunk.toolCallId,
          state: "input-available",
          input: chunk.input,
          ...(chunk.providerMetadata ? { callProviderMetadata: chunk.providerMetadata } : {}),
        });
        break;
      case "tool-input-error":
        this.#parts.push({
          type: `tool-${chunk.toolName}`,
          toolCallId: chunk.toolCallId,
          state: "output-error",
          input: chunk.input,
          errorText: chunk.errorText,
          ...(chunk.providerMetadata ? { callProviderMetadata: chunk.providerMetadata } : {}),
        });
        break;
      case "file":
        this.#parts.push({ type: "file", url: chunk.url, mediaType: chunk.mediaType });
        break;
      default:
        break;
    }
  }

  /** The parts so far, of a step that still runs. */
  current(): Part[] {
    return this.#parts;
  }

  /** The parts of a step that succeeded. */
  complete(): Part[] {
    for (const part of this.#open.values()) part.state = "done";
    this.#open.clear();
    return this.#parts;
  }

  /**
   * The parts of a step that failed or was stopped: text as far as it came, calls marked as not made, so that nothing
   * in a stored message waits for a result that never comes. Empty when nothing was said.
   */
  partial(): Part[] {
    const parts = this.complete().filter((part) => !(isProse(part) && part.text === ""));
    const settled = parts.map((part): Part => {
      if (!("toolCallId" in part) || part.state !== "input-available") return part;
      return { ...part, state: "output-error", errorText: NOT_MADE };
    });
    return settled.every((part) => part.type === "step-start") ? [] : settled;
  }
}

function isProse(part: Part): part is TextUIPart | ReasoningUIPart {
  return part.type === "text" || part.type === "reasoning";
}
