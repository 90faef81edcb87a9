import type { ProviderId } from "./contract";

/** Models that are offered first, and all that is offered while a provider's own list cannot be had. */
export const FAVOURITES: Readonly<Record<ProviderId, readonly string[]>> = {
  anthropic: ["claude-sonnet-5", "claude-opus-5-5", "claude-haiku-4-5"],
  openai: ["gpt-5.6-sol", "gpt-5.4-mini", "gpt-5.3-codex"],
  google: ["gemini-3.8-flash", "gemini-2.5-pro", "gemini-3.5-flash-lite"],
  gateway: ["anthropic/claude-sonnet-5", "openai/gpt-5.6-sol", "google/gemini-3.8-flash"],
  compatible: [],
};

/** The small model of each provider; a compatible server has no other than the chat's own. */
export function smallModelId(provider: ProviderId, modelId: string): string {
  switch (provider) {
    case "anthropic":
      return "claude-haiku-4-5";
    case "openai":
      return "gpt-5.4-nano";
    case "google":
      return "gemini-3.5-flash-lite";
    case "gateway": {
      const owner = modelId.split("/")[0] ?? "";
      const small: Record<string, string> = {
        anthropic: "anthropic/claude-haiku-4.5",
        openai: "openai/gpt-5.4-nano",
        google: "google/gemini-3.5-flash-lite",
      };
      return small[owner] ?? modelId;
    }
    case "compatible":
      return modelId;
  }
}
