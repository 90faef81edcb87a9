import type { ModelInfo } from "@/lib/model/contract";

/** `850`, `12.3k`, `1.2M`: tokens in a few characters. */
export function formatTokens(tokens: number): string {
  if (tokens < 1_000) return String(Math.round(tokens));
  const [value, unit] = tokens < 999_500 ? [tokens / 1_000, "k"] : [tokens / 1_000_000, "M"];
  return `${value >= 99.95 ? Math.round(value) : Number(value.toFixed(1))}${unit}`;
}

/** `$1.23`, `$0.0042`, `under $0.0001`; `unknown` where no price is known. */
export function formatMoney(usd: number | null): string {
  if (usd === null) return "unknown";
  if (usd === 0) return "$0";
  if (usd < 0.0001) return "under $0.0001";
  return usd < 0.1 ? `$${Number(usd.toPrecision(2))}` : `$${usd.toFixed(2)}`;
}

/** `$3.00 in, $15.00 out per 1M`: for a million tokens. */
export function formatPrice(price: ModelInfo["price"]): string {
  if (price === null) return "Price unknown";
  if (price.inputUsd === 0 && price.outputUsd === 0) return "Free";
  return `${formatMoney(price.inputUsd)} in, ${formatMoney(price.outputUsd)} out per 1M`;
}

/** One line about a model: what it takes in, whether it sees, what it costs per million tokens. */
export function modelFacts(model: ModelInfo): string {
  const context = model.contextTokens === null ? "Context unknown" : `${formatTokens(model.contextTokens)} context`;
  const sight = model.acceptsImages ? "Sees images" : "Text only";
  return [context, sight, formatPrice(model.price)].join(" · ");
}
