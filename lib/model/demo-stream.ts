import { randomUUID } from "node:crypto";
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { demoFailure } from "./demo-failure";
import type { DemoFailure, DemoStep } from "./demo-script";

const SLOW_WORD_MS = 100;
const CUT_WORDS = "This answer is about to be cut off in the middle of";

interface OpenBlock {
  readonly type: "text" | "reasoning";
  readonly id: string;
}

/**
 * Streams one step: text and reasoning word by word, then the call, then `finish` with usage. Consecutive lines of one
 * type are one block, with a line break between them. Throws the abort reason as soon as `abortSignal` fires.
 */
export async function* demoParts(
  { segments, call }: DemoStep,
  options: Pick<LanguageModelV4CallOptions, "prompt" | "abortSignal">,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const signal = options.abortSignal;
  const spoken = { text: 0, reasoning: 0 };
  let open = null as OpenBlock | null;
  let blocks = 0;

  yield { type: "stream-start", warnings: [] };
  for (const segment of segments) {
    if (segment.type === "fail") {
      if (segment.failure === "cut" && open === null) {
        open = { type: "text", id: `text-${++blocks}` };
        yield { type: "text-start", id: open.id };
        for (const delta of wordsOf(CUT_WORDS)) yield { type: "text-delta", id: open.id, delta };
      }
      yield* fail(segment.failure);
      return;
    }
    const type = segment.type === "reasoning" ? "reasoning" : "text";
    if (open !== null && open.type === type) yield { type: `${type}-delta`, id: open.id, delta: "\n" };
    else {
      if (open !== null) yield { type: `${open.type}-end`, id: open.id };
      open = { type, id: `${type}-${++blocks}` };
      yield { type: `${type}-start`, id: open.id };
    }
    for await (const delta of segment.type === "slow" ? slowWords(segment.count, signal) : wordsOf(segment.text)) {
      signal?.throwIfAborted();
      spoken[type] += 1;
      yield { type: `${type}-delta`, id: open.id, delta };
    }
  }
  if (open !== null) yield { type: `${open.type}-end`, id: open.id };

  if (call !== null) {
    // Random, because it must be unique in the whole chat; a step that runs again makes a new call with a new id.
    const toolCallId = `call_${randomUUID().replaceAll("-", "")}`;
    const input = JSON.stringify(call.input);
    yield { type: "tool-input-start", id: toolCallId, toolName: call.toolName };
    yield { type: "tool-input-delta", id: toolCallId, delta: input };
    yield { type: "tool-input-end", id: toolCallId };
    yield { type: "tool-call", toolCallId, toolName: call.toolName, input };
    spoken.text += wordsOf(input).length;
  }
  yield {
    type: "finish",
    finishReason: { unified: call === null ? "stop" : "tool-calls", raw: undefined },
    usage: countUsage(options.prompt, spoken),
  };
}

/** `cut` breaks the stream; the other failures arrive in it as an error event, as from a provider that had begun. */
async function* fail(failure: DemoFailure): AsyncGenerator<LanguageModelV4StreamPart> {
  if (failure === "cut") throw demoFailure(failure);
  yield { type: "error", error: demoFailure(failure) };
  yield { type: "finish", finishReason: { unified: "error", raw: undefined }, usage: UNKNOWN_USAGE };
}

/** Words with the blank that follows each, so that joined they are the text again. */
function wordsOf(text: string): string[] {
  return text.match(/\s*\S+\s*/g) ?? (text === "" ? [] : [text]);
}

/** `w1 w2 … wn`, each due 100 ms after the one before, counted from the start so that delays do not add up. */
async function* slowWords(count: number, signal: AbortSignal | undefined): AsyncGenerator<string> {
  const startedAt = performance.now();
  for (let index = 0; index < count; index++) {
    await delay(startedAt + index * SLOW_WORD_MS - performance.now(), signal);
    yield index === 0 ? "w1" : ` w${index + 1}`;
  }
}

function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      },
      Math.max(0, ms),
    );
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

const UNKNOWN_USAGE: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/** Words stand for tokens: plausible figures that cost nothing to count. */
function countUsage(
  prompt: LanguageModelV4Prompt,
  spoken: { readonly text: number; readonly reasoning: number },
): LanguageModelV4Usage {
  const input = wordsOf(JSON.stringify(prompt)).length;
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: spoken.text + spoken.reasoning, text: spoken.text, reasoning: spoken.reasoning },
  };
}
