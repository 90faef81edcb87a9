import { z } from "zod";

/** The model providers that can be configured; `compatible` is any server that speaks OpenAI's chat completions. */
export const PROVIDER_IDS = ["anthropic", "openai", "google", "gateway", "compatible"] as const;
export const providerId = z.enum(PROVIDER_IDS);
export type ProviderId = z.infer<typeof providerId>;

/** Money per million tokens in US dollars; a rate that is not published is null. */
export const priceView = z.object({
  inputUsd: z.number(),
  outputUsd: z.number(),
  cacheReadUsd: z.number().nullable(),
  cacheWriteUsd: z.number().nullable(),
});
export type Price = z.infer<typeof priceView>;

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
