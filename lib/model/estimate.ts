import type { StepUsage } from "./contract";

/** What most tokenizers make of code and English; real figures replace it as soon as there are any. */
const CHARS_PER_TOKEN = 4;

export function tokensOfChars(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN);
}

/**
 * Tokens of a prompt, by the ratio that the provider's own count of an earlier prompt shows; a ratio that is out of all reason
 * (a provider that counts nothing) is left aside.
 */
export function tokensOfPrompt(
  chars: number,
  counted: { readonly promptChars: number; readonly inputTokens: number } | null,
): number {
  if (counted === null || counted.promptChars === 0) return tokensOfChars(chars);
  const tokensPerChar = counted.inputTokens / counted.promptChars;
  return tokensPerChar < 0.05 || tokensPerChar > 1.5 ? tokensOfChars(chars) : Math.ceil(chars * tokensPerChar);
}

/** Usage that nobody counted: a call that was stopped or cut has taken its prompt in and said so much. */
export function estimatedUsage(inputTokens: number, outputChars: number): StepUsage {
  return {
    inputTokens,
    outputTokens: tokensOfChars(outputChars),
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  };
}

export const NO_USAGE: StepUsage = estimatedUsage(0, 0);
