import { createAnthropic } from "@ai-sdk/anthropic";
import { createGateway } from "@ai-sdk/gateway";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ProviderAccess } from "./provider-access";

// The SDK prints what it has to remark about requests; our log is for lines that we have written.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

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
