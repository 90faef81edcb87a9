import { createHash } from "node:crypto";
import type { ModelEnv, ProviderEnv } from "@/lib/env";
import type { ProviderId } from "./contract";
import { DEFAULT_BASE_URL, normalBaseUrl, type ProviderAccess } from "./provider-access";

/**
 * The providers that the environment configures. `OPENAI_BASE_URL` names a compatible server, and `OPENAI_API_KEY` is then
 * that server's key: it is never sent to OpenAI.
 */
export function environmentAccess({ providers }: Pick<ModelEnv, "providers">): readonly ProviderAccess[] {
  const { openai } = providers;
  const found = [
    access("anthropic", providers.anthropic),
    openai.baseUrl === undefined ? access("openai", openai) : null,
    access("google", providers.google),
    access("gateway", providers.gateway),
    openai.baseUrl === undefined ? null : access("compatible", openai),
  ];
  return found.filter((one) => one !== null);
}

function access(provider: ProviderId, { apiKey, baseUrl }: ProviderEnv): ProviderAccess | null {
  const address = baseUrl ?? DEFAULT_BASE_URL[provider];
  if (address === null || (apiKey === undefined && provider !== "compatible")) return null;
  return {
    provider,
    apiKey: apiKey ?? null,
    baseUrl: normalBaseUrl(provider, address),
    revision: fingerprint(apiKey ?? ""),
  };
}

/** Tells two keys apart without holding either. */
function fingerprint(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 16);
}
