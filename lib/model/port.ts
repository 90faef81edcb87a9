import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ModelInfo, StepUsage } from "./contract";

/** A model that can be called now. It holds a key: never store, log or pass it to a workflow. */
export interface UsableModel {
  readonly info: ModelInfo;
  readonly model: LanguageModelV4;
  /** What a call cost in US dollars; null when the price is unknown. */
  costOf(usage: StepUsage): number | null;
}

/** The port behind which model providers live. Which there are depends on the user, who may have keys of their own. */
export interface ModelCatalog {
  /** Every model that the user can choose now, the default one first. */
  list(userId: string): Promise<readonly ModelInfo[]>;
  /** Null when no provider that is configured for the user knows the reference. */
  find(userId: string, ref: string): Promise<UsableModel | null>;
  /** The small model for titles, commit messages and summaries of a chat on `ref`; null when there is none. */
  findSmall(userId: string, ref: string): Promise<UsableModel | null>;
  /** The model of a session that names none. */
  defaultRef(userId: string): Promise<string>;
}
