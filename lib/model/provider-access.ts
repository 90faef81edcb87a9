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
