import type { LanguageModelUsage } from "ai";
import type { StepUsage } from "./contract";

/** What the columns of the ledger hold. */
const MAX_TOKENS = 2 ** 31 - 1;

/**
 * What a provider says that a call used, in whole tokens; null when it does not say, or says what cannot be, and the figures are
 * then estimated. A server of a person's own may write anything there.
 */
export function countedUsage(usage: LanguageModelUsage): StepUsage | null {
  const { inputTokens, outputTokens, inputTokenDetails, outputTokenDetails } = usage;
  if (inputTokens === undefined && outputTokens === undefined) return null;
  const [input, output] = [wholeTokens(inputTokens ?? 0), wholeTokens(outputTokens ?? 0)];
  if (input === null || output === null) return null;
  return {
    inputTokens: input,
    outputTokens: output,
    cacheReadTokens: wholeTokens(inputTokenDetails.cacheReadTokens) ?? 0,
    cacheWriteTokens: wholeTokens(inputTokenDetails.cacheWriteTokens) ?? 0,
    reasoningTokens: wholeTokens(outputTokenDetails.reasoningTokens) ?? 0,
  };
}

function wholeTokens(said: number | undefined): number | null {
  const tokens = Math.floor(said ?? Number.NaN);
  return tokens >= 0 && tokens <= MAX_TOKENS ? tokens : null;
}
