import type { LanguageModelV4 } from "@ai-sdk/provider";
import { createDemoModel } from "./demo";
import type { ModelCatalog, ModelInfo } from "./port";

export const DEMO_MODEL_REF = "demo/demo";

const DEMO_INFO: ModelInfo = {
  ref: DEMO_MODEL_REF,
  label: "Demo (scripted, not an AI)",
  contextTokens: null,
  acceptsImages: false,
  price: { inputUsd: 0, outputUsd: 0 },
};

/**
 * The models of this deployment. `model` is the reference that `DORMOUSE_MODEL` names (api.md, "Settings"); it comes
 * first when it is known, and an unknown one leaves the order alone: the caller tells the operator.
 */
export function createModelCatalog(env: { readonly model?: string | undefined } = {}): ModelCatalog {
  const entries: { readonly info: ModelInfo; readonly model: LanguageModelV4 }[] = [
    { info: DEMO_INFO, model: createDemoModel() },
  ];
  const rank = (info: ModelInfo) => (info.ref === env.model ? 0 : 1);
  const infos = entries.map((entry) => entry.info).sort((a, b) => rank(a) - rank(b));
  return {
    list: () => infos,
    find: (ref) => entries.find((entry) => entry.info.ref === ref) ?? null,
  };
}
