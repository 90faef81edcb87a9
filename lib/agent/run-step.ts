import type { LanguageModelV4 } from "@ai-sdk/provider";
import { convertToModelMessages, streamText, toUIMessageChunk, type UIMessage, type UIMessageChunk } from "ai";
import type { StepUsage } from "@/lib/model/contract";
import { countedUsage } from "@/lib/model/counted";
import { classifyModelFailure, failureOfFinish, type ModelFailure, modelFailure } from "@/lib/model/failure";
import { withOwnCallIds } from "./own-ids";
import { cachedInstructions, cachedMessages, cacheOptions } from "./prompt-cache";
import { chunkOfCall, readToolCall, type StepToolCall, toSdkTools } from "./step-calls";
import { StepParts } from "./step-parts";
import type { AgentTool } from "./tool";
import { storableText } from "./tools/text";

export interface ModelStepRequest {
  readonly model: LanguageModelV4;
  readonly instructions: string;
  /** The history from our rows, oldest first; system messages are refused (they belong into `instructions`). */
  readonly messages: readonly UIMessage[];
  readonly tools: readonly AgentTool[];
  /** Fires on Stop and when the lease is lost; the step then ends at once with failure class `stopped`. */
  readonly signal: AbortSignal;
  /** Called with each chunk in order, `start-step` first; must not throw. */
  readonly onChunk: (chunk: UIMessageChunk) => void;
  /** The same for all steps of a conversation, so that a provider finds what it has cached of it. */
  readonly cacheKey: string;
  /** Without a word of the provider for so long the step counts as cut; 5 minutes by default. */
  readonly stallMs?: number;
}

export interface ModelStep {
  /** Of this step alone, `step-start` first; what was said so far if the step failed. */
  readonly parts: UIMessage["parts"];
  /** Empty when the step failed: the calls of half a step are never made. */
  readonly toolCalls: readonly StepToolCall[];
  readonly finishReason: string | null;
  /** Null when the provider did not say. */
  readonly usage: StepUsage | null;
  /** Null when the step succeeded. */
  readonly failure: ModelFailure | null;
}

/**
 * Asks the model once and streams its answer (design.md, section 5). Tools are offered without an execution: the turn
 * runs them as steps of their own. Never throws for what a provider does; every failure is a value in `failure`.
 */
export async function runModelStep(request: ModelStepRequest): Promise<ModelStep> {
  const { signal, tools, onChunk } = request;
  const parts = new StepParts();
  const toolCalls: StepToolCall[] = [];
  let finishReason: string | null = null;
  let usage: StepUsage | null = null;
  let failure: ModelFailure | null = null;

  const emit = (chunk: UIMessageChunk) => {
    parts.add(chunk);
    onChunk(chunk);
  };

  const sdkTools = toSdkTools(tools);
  const toOwnIds = withOwnCallIds();
  const stall = watchStall(request.stallMs ?? STALL_MS);

  try {
    signal.throwIfAborted();
    const messages = await convertToModelMessages([...request.messages], {
      tools: sdkTools,
      ignoreIncompleteToolCalls: true,
    });
    const result = streamText({
      model: request.model,
      instructions: cachedInstructions(request.instructions),
      messages: cachedMessages(messages),
      tools: sdkTools,
      providerOptions: cacheOptions(request.cacheKey),
      abortSignal: AbortSignal.any([signal, stall.signal]),
      // Retries are the turn's business, because only it can send a `reset-step` and tell the person.
      maxRetries: 0,
      // Errors arrive in the stream as well; the default handler would print them with the request.
      onError: () => {},
    });
    for await (const told of result.stream) {
      stall.alive();
      const part = toOwnIds(told);
      if (part.type === "error") failure ??= classifyModelFailure(part.error, new Date());
      else if (part.type === "abort") failure = modelFailure("stopped");
      else if (part.type === "tool-call") {
        const call = readToolCall(part, tools);
        toolCalls.push(call);
        emit(chunkOfCall(call, part.providerMetadata));
      } else if (part.type === "finish-step") {
        // The SDK says `other` also when the provider said nothing at all.
        const unsaid = part.finishReason === "other" && part.rawFinishReason === undefined;
        finishReason = unsaid ? null : part.finishReason;
        usage = countedUsage(part.usage);
        emit({ type: "finish-step" });
      } else if (part.type !== "tool-error") {
        // `tool-error` only repeats an invalid call, which its `tool-call` part has told already.
        const chunk = toUIMessageChunk(part, { tools: sdkTools, sendStart: false, sendFinish: false });
        if (chunk !== undefined) emit("delta" in chunk ? { ...chunk, delta: storableText(chunk.delta) } : chunk);
      }
    }
  } catch (error) {
    failure ??= classifyModelFailure(error, new Date());
  } finally {
    stall.close();
  }

  if (stall.signal.aborted) failure = modelFailure("cut", { message: "The model provider stopped answering." });
  if (signal.aborted) failure = modelFailure("stopped");
  failure ??= failureOfFinish(finishReason ?? undefined);
  return failure === null
    ? { parts: parts.complete(), toolCalls, finishReason, usage, failure }
    : { parts: parts.partial(), toolCalls: [], finishReason, usage, failure };
}

const STALL_MS = 5 * 60_000;

/** Fires when nothing has come for a while: a provider that hangs must not hold the turn for ever. */
function watchStall(afterMs: number) {
  const controller = new AbortController();
  let timer = setTimeout(() => controller.abort(), afterMs);
  return {
    signal: controller.signal,
    alive() {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(), afterMs);
    },
    close: () => clearTimeout(timer),
  };
}
