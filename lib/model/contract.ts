import { z } from "zod";

/** The model providers that can be configured; `compatible` is any server that speaks OpenAI's chat completions. */
export const PROVIDER_IDS = ["anthropic", "openai", "google", "gateway", "compatible"] as const;
export const providerId = z.enum(PROVIDER_IDS);
export type ProviderId = z.infer<typeof providerId>;

export const PROVIDER_LABELS: Readonly<Record<ProviderId, string>> = {
  anthropic: "Anthropic",
  openai: "OpenAI",
  google: "Google",
  gateway: "AI Gateway",
  compatible: "OpenAI-compatible server",
};

/** One provider as it stands for a user: from Settings, else from the environment, else not set up. */
export const providerView = z.object({
  provider: providerId,
  label: z.string(),
  source: z.enum(["settings", "environment"]).nullable(),
  /** `unreadable`: it was sealed with a key file that is gone. */
  key: z.enum(["set", "none", "unreadable"]),
  baseUrl: z.string().nullable(),
  updatedAt: z.iso.datetime().nullable(),
});
export type ProviderView = z.infer<typeof providerView>;

export const providerListView = z.object({
  providers: z.array(providerView),
  /** Whether the user may name private addresses, such as a server on this machine. */
  privateAddresses: z.boolean(),
});
export type ProviderListView = z.infer<typeof providerListView>;

/** A key is printable and has no blanks; it is never sent back. */
const apiKey = z
  .string()
  .trim()
  .min(1)
  .max(2_000)
  .regex(/^[\x21-\x7e]+$/, "must not contain blanks or other special characters");

export const setProviderBody = z.strictObject({
  apiKey: apiKey.optional(),
  baseUrl: z.string().trim().min(1).max(2_000).optional(),
});
export type SetProviderBody = z.infer<typeof setProviderBody>;

export const providerTestView = z.object({
  ok: z.boolean(),
  /** What is wrong and what to do, or what was found. */
  message: z.string(),
  /** How many models it offers; null when it could not be asked. */
  models: z.number().nullable(),
});
export type ProviderTestView = z.infer<typeof providerTestView>;

/** Money per million tokens in US dollars; a rate that is not published is null. */
export const priceView = z.object({
  inputUsd: z.number(),
  outputUsd: z.number(),
  cacheReadUsd: z.number().nullable(),
  cacheWriteUsd: z.number().nullable(),
});
export type Price = z.infer<typeof priceView>;

/** The scripted model that needs no key. */
export const DEMO_MODEL_REF = "demo/demo";

/** What the page and the loop know of a model. Unknown figures are null and are shown as unknown. */
export const modelView = z.object({
  /** `provider/model`. */
  ref: z.string(),
  label: z.string(),
  provider: z.union([providerId, z.literal("demo")]),
  contextTokens: z.number().nullable(),
  acceptsImages: z.boolean(),
  price: priceView.nullable(),
});
export type ModelInfo = z.infer<typeof modelView>;

/** Tokens of one model call, as the provider counted them. `inputTokens` has those read from and written to a cache in it. */
export const callUsage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
  reasoningTokens: z.number(),
});
export type StepUsage = z.infer<typeof callUsage>;
