import type { Tone } from "@/components/ui/chip";
import type { ProviderId, ProviderView } from "@/lib/model/contract";

/** What a provider is, for someone who chooses one. */
export const PROVIDER_HINTS: Readonly<Record<ProviderId, string>> = {
  anthropic: "Claude models, with prompt caching.",
  openai: "GPT models.",
  google: "Gemini models.",
  gateway: "Models of many makers behind one key, by Vercel.",
  compatible: "A server that speaks OpenAI’s protocol: Ollama, LM Studio, vLLM, OpenRouter.",
};

/** How a provider stands, in a word and a tone. */
export function providerState({ source, key }: Pick<ProviderView, "source" | "key">): { word: string; tone: Tone } {
  if (source === null) return { word: "Not set up", tone: "calm" };
  if (key === "unreadable") return { word: "Key unreadable", tone: "danger" };
  return source === "environment" ? { word: "From the environment", tone: "ok" } : { word: "Set up", tone: "ok" };
}
