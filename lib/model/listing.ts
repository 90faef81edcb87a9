import { APICallError } from "@ai-sdk/provider";
import { z } from "zod";
import type { Price, ProviderId } from "./contract";
import type { ProviderAccess } from "./provider-access";

/** A model as its provider lists it; null for what the provider does not say. */
export interface ListedModel {
  readonly id: string;
  readonly label: string | null;
  readonly contextTokens: number | null;
  readonly price: Price | null;
  readonly acceptsImages: boolean | null;
}

const MAX_ANSWER_BYTES = 8_000_000;
/** Ids in the lists of the big providers that are no chat models. */
const NO_CHAT =
  /embed|whisper|tts|dall-e|image|moderation|audio|realtime|transcribe|davinci|babbage|search|computer-use|sora|imagen|veo|aqa|lyria|robotics|live|instruct/i;

/** Some write numbers as text. What is null or empty is not said, and never zero: that would be no window, or free. */
const number = z.union([z.number(), z.string().trim().min(1).transform(Number).pipe(z.number())]);
const tokens = number.pipe(z.int().positive()).optional().catch(undefined);
/** US dollars for one token. */
const rate = number.pipe(z.number().nonnegative());
const words = z.string().optional().catch(undefined);
const anthropicList = z.object({ data: z.array(z.object({ id: z.string(), display_name: words })) });
const openaiList = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      name: words,
      // What OpenRouter, vLLM and LM Studio add.
      context_length: tokens,
      max_model_len: tokens,
      max_context_length: tokens,
      pricing: z.object({ prompt: rate, completion: rate }).optional().catch(undefined),
      architecture: z
        .object({ input_modalities: z.array(z.string()) })
        .optional()
        .catch(undefined),
      type: words,
    }),
  ),
});
const googleList = z.object({
  models: z.array(
    z.object({
      name: z.string(),
      displayName: words,
      inputTokenLimit: tokens,
      supportedGenerationMethods: z.array(z.string()).optional(),
    }),
  ),
});
const gatewayList = z.object({
  models: z.array(
    z.object({
      id: z.string(),
      name: words,
      modelType: z.string().nullish(),
      pricing: z
        .object({
          input: rate,
          output: rate,
          cachedInputTokens: rate.optional().catch(undefined),
          cacheCreationInputTokens: rate.optional().catch(undefined),
        })
        .nullish()
        .catch(undefined),
    }),
  ),
});

/**
 * Asks a provider which models it has. Costs nothing and needs a valid key, so it is also how a key is tested.
 * @throws what `classifyModelFailure` sorts
 */
export async function listModels(access: ProviderAccess, signal: AbortSignal): Promise<readonly ListedModel[]> {
  const { provider, baseUrl } = access;
  const { path, headers } = REQUESTS[provider](access.apiKey);
  const url = `${baseUrl.replace(/\/+$/, "")}${path}`;
  const response = await (access.fetch ?? fetch)(url, { headers, signal, redirect: "error" });
  const text = await readCapped(response);
  if (!response.ok) {
    throw new APICallError({
      message: "The list of models was refused.",
      url,
      requestBodyValues: {},
      statusCode: response.status,
      responseHeaders: Object.fromEntries(response.headers),
      responseBody: text,
    });
  }
  return READERS[provider](JSON.parse(text));
}

const REQUESTS: Readonly<
  Record<ProviderId, (key: string | null) => { readonly path: string; readonly headers: Record<string, string> }>
> = {
  anthropic: (key) => ({
    path: "/models?limit=1000",
    headers: { "x-api-key": key ?? "", "anthropic-version": "2023-06-01" },
  }),
  openai: bearer("/models"),
  google: (key) => ({ path: "/models?pageSize=1000", headers: { "x-goog-api-key": key ?? "" } }),
  gateway: (key) => ({
    path: "/config",
    headers: {
      authorization: `Bearer ${key ?? ""}`,
      "ai-gateway-protocol-version": "0.0.1",
      "ai-gateway-auth-method": "api-key",
    },
  }),
  compatible: bearer("/models"),
};

function bearer(path: string) {
  return (key: string | null) => ({
    path,
    headers: key === null ? {} : ({ authorization: `Bearer ${key}` } as Record<string, string>),
  });
}

const SILENT = { label: null, contextTokens: null, price: null, acceptsImages: null };

const READERS: Readonly<Record<ProviderId, (json: unknown) => ListedModel[]>> = {
  anthropic: (json) =>
    anthropicList.parse(json).data.map(({ id, display_name }) => ({ ...SILENT, id, label: display_name ?? null })),
  openai: (json) =>
    openaiList
      .parse(json)
      .data.filter(({ id }) => !NO_CHAT.test(id))
      .map(({ id }) => ({ ...SILENT, id })),
  google: (json) =>
    googleList
      .parse(json)
      .models.filter((model) => model.supportedGenerationMethods?.includes("generateContent") ?? true)
      .map((model) => ({
        ...SILENT,
        id: model.name.replace(/^models\//, ""),
        label: model.displayName ?? null,
        contextTokens: model.inputTokenLimit ?? null,
      }))
      .filter(({ id }) => !NO_CHAT.test(id)),
  gateway: (json) =>
    gatewayList
      .parse(json)
      .models.filter((model) => (model.modelType ?? "language") === "language")
      .map(({ id, name, pricing }) => ({
        ...SILENT,
        id,
        label: name ?? null,
        price: pricing
          ? {
              inputUsd: pricing.input * 1e6,
              outputUsd: pricing.output * 1e6,
              cacheReadUsd: pricing.cachedInputTokens === undefined ? null : pricing.cachedInputTokens * 1e6,
              cacheWriteUsd:
                pricing.cacheCreationInputTokens === undefined ? null : pricing.cacheCreationInputTokens * 1e6,
            }
          : null,
      })),
  compatible: (json) =>
    openaiList
      .parse(json)
      .data.filter(({ type }) => type === undefined || !/embed/i.test(type))
      .map((model) => ({
        id: model.id,
        label: model.name ?? null,
        contextTokens: model.context_length ?? model.max_model_len ?? model.max_context_length ?? null,
        price: model.pricing
          ? {
              inputUsd: model.pricing.prompt * 1e6,
              outputUsd: model.pricing.completion * 1e6,
              cacheReadUsd: null,
              cacheWriteUsd: null,
            }
          : null,
        acceptsImages: model.type === "vlm" ? true : (model.architecture?.input_modalities.includes("image") ?? null),
      })),
};

/** A server that never stops sending must not fill our memory. */
async function readCapped(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_ANSWER_BYTES) throw new Error("The list of models is too long.");
  }
  return Buffer.concat(chunks).toString("utf8");
}
