import type { ModelMessage, streamText } from "ai";

/** Anthropic caches what comes before a mark: tools and instructions, and the conversation up to its newest messages. */
const MARK = { anthropic: { cacheControl: { type: "ephemeral" as const } } };
/** Two, so that the mark of the step before is still one when its tool results have come in between. */
const MARKED_MESSAGES = 2;

export function cachedInstructions(text: string) {
  return { role: "system" as const, content: text, providerOptions: MARK };
}

export function cachedMessages(messages: readonly ModelMessage[]): ModelMessage[] {
  const from = messages.length - MARKED_MESSAGES;
  return messages.map((message, index) =>
    index < from ? message : { ...message, providerOptions: { ...message.providerOptions, ...MARK } },
  );
}

/**
 * OpenAI caches by itself and finds a conversation by its key. What is said is not stored there: the history is ours, and
 * a step that failed or ran on another model has no counterpart at the provider.
 */
export function cacheOptions(cacheKey: string): NonNullable<Parameters<typeof streamText>[0]["providerOptions"]> {
  return { openai: { store: false, promptCacheKey: cacheKey } };
}
