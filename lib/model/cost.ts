import type { ModelInfo, StepUsage } from "./port";

/** What a step cost in US dollars; null when the price or the usage is unknown. */
export function costOfStep(usage: StepUsage | null, price: ModelInfo["price"]): number | null {
  if (usage === null || price === null) return null;
  return (usage.inputTokens * price.inputUsd + usage.outputTokens * price.outputUsd) / 1_000_000;
}
