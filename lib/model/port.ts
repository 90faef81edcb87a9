import type { LanguageModelV4 } from "@ai-sdk/provider";

/** What the page and the loop know of a model. Unknown figures are null and are shown as unknown. */
export interface ModelInfo {
  /** `provider/model`. */
  readonly ref: string;
  readonly label: string;
  readonly contextTokens: number | null;
  readonly acceptsImages: boolean;
  /** Money per million tokens in US dollars, or null when unknown. */
  readonly price: { readonly inputUsd: number; readonly outputUsd: number } | null;
}

/** The port behind which model providers live; a later issue adds real ones. */
export interface ModelCatalog {
  /** Every model that can be used now, the default one first. */
  list(): readonly ModelInfo[];
  /** Null when no configured provider knows the reference. */
  find(ref: string): { readonly info: ModelInfo; readonly model: LanguageModelV4 } | null;
}

/** Tokens of one model step, as the provider counted them. */
export interface StepUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly reasoningTokens: number;
}
