import { calcPrice } from "@pydantic/genai-prices";
import type { Price, ProviderId, StepUsage } from "./contract";

/** What is published about a model, from data that comes with the app; every figure may be unknown. */
export interface Figures {
  readonly contextTokens: number | null;
  readonly price: Price | null;
}

const UNKNOWN: Figures = { contextTokens: null, price: null };

/** How the price list names a provider. Behind the gateway it is the first part of the model's id. */
function lookUp(provider: ProviderId, modelId: string, baseUrl: string, usage: Readonly<Record<string, number>>) {
  const at = modelId.indexOf("/");
  const [owner, id] =
    provider === "gateway" && at > 0 ? [modelId.slice(0, at), modelId.slice(at + 1)] : [provider, modelId];
  // A server of one's own may call anything by any name: only an address that the list knows is believed.
  const who = provider === "compatible" ? { providerApiUrl: baseUrl } : { providerId: owner };
  try {
    return calcPrice(usage, id, who);
  } catch {
    return null;
  }
}

/** Context size and price of a model, or null where they are not known. */
export function figuresOf(provider: ProviderId, modelId: string, baseUrl: string): Figures {
  const found = lookUp(provider, modelId, baseUrl, { input_tokens: 1, output_tokens: 1 });
  if (!found) return UNKNOWN;
  const rate = (name: string): number | null => {
    const value = found.model_price[name];
    return typeof value === "number" ? value : (value?.base ?? null);
  };
  const [inputUsd, outputUsd] = [rate("input_mtok"), rate("output_mtok")];
  return {
    contextTokens: found.model.context_window ?? null,
    price:
      inputUsd === null || outputUsd === null
        ? null
        : { inputUsd, outputUsd, cacheReadUsd: rate("cache_read_mtok"), cacheWriteUsd: rate("cache_write_mtok") },
  };
}

/** What a call cost by the published list, tiers and cache rates included; null when the model is not in it. */
export function listedCost(provider: ProviderId, modelId: string, baseUrl: string, usage: StepUsage): number | null {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = clamp(usage);
  const found = lookUp(provider, modelId, baseUrl, {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cache_read_tokens: cacheReadTokens,
    cache_write_tokens: cacheWriteTokens,
  });
  return found?.total_price ?? null;
}

/** What a call cost at flat rates. A cache rate that is not published counts as that of ordinary input. */
export function flatCost(price: Price, usage: StepUsage): number {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = clamp(usage);
  const plain = inputTokens - cacheReadTokens - cacheWriteTokens;
  const millionths =
    plain * price.inputUsd +
    cacheReadTokens * (price.cacheReadUsd ?? price.inputUsd) +
    cacheWriteTokens * (price.cacheWriteUsd ?? price.inputUsd) +
    outputTokens * price.outputUsd;
  return millionths / 1_000_000;
}

/** Some servers count cached tokens beside the input instead of in it. */
function clamp(usage: StepUsage): StepUsage {
  return { ...usage, inputTokens: Math.max(usage.inputTokens, usage.cacheReadTokens + usage.cacheWriteTokens) };
}
