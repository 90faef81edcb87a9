import { createAnthropic } from "@ai-sdk/anthropic";
import { createGateway } from "@ai-sdk/gateway";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ProviderId } from "./contract";

/** How a provider is reached, key included: lives for one call, in memory only. */
export interface ProviderAccess {
  readonly provider: ProviderId;
  /** Null for a compatible server that asks for none. */
  readonly apiKey: string | null;
  readonly baseUrl: string;
  /** Changes whenever key or address do. */
  readonly revision: string;
  /** Given where a person named the address: it checks where the connection goes. */
  readonly fetch?: typeof fetch;
}

// The SDK prints what it has to remark about requests; our log is for lines that we have written.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

export const DEFAULT_BASE_URL: Readonly<Record<ProviderId, string | null>> = {
  anthropic: "https://api.anthropic.com/v1",
  openai: "https://api.openai.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
  gateway: "https://ai-gateway.vercel.sh/v4/ai",
  compatible: null,
};

/** Without a slash at the end; Anthropic's address is often written without its version. */
export function normalBaseUrl(provider: ProviderId, baseUrl: string): string {
  const plain = baseUrl.replace(/\/+$/, "");
  return provider === "anthropic" && plain === "https://api.anthropic.com" ? `${plain}/v1` : plain;
}

/** Splits `provider/model` at the first slash; the model part may have slashes and colons of its own. */
export function parseModelRef(ref: string): { readonly provider: string; readonly modelId: string } | null {
  const at = ref.indexOf("/");
  return at < 1 || at === ref.length - 1 ? null : { provider: ref.slice(0, at), modelId: ref.slice(at + 1) };
}

/**
 * The model behind a provider's own package. Key and address are always given, since the packages look into the
 * environment for what is not.
 */
export function createLanguageModel(access: ProviderAccess, modelId: string): LanguageModelV4 {
  const { provider, baseUrl: baseURL, fetch } = access;
  const apiKey = access.apiKey ?? "none";
  const common = { apiKey, baseURL, ...(fetch ? { fetch } : {}) };
  switch (provider) {
    case "anthropic":
      return createAnthropic(common).languageModel(modelId);
    case "openai":
      return createOpenAI(common).responses(modelId);
    case "google":
      return createGoogle(common).languageModel(modelId);
    case "gateway":
      return createGateway(common).languageModel(modelId);
    case "compatible":
      return createOpenAICompatible({
        name: "compatible",
        baseURL,
        // Without it a stream has no usage.
        includeUsage: true,
        ...(access.apiKey === null ? {} : { apiKey }),
        ...(fetch ? { fetch } : {}),
      }).languageModel(modelId);
  }
}
