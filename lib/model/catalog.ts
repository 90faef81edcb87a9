import type { ModelEnv } from "@/lib/env";
import { DEMO_MODEL_REF, type ModelInfo, PROVIDER_LABELS, type StepUsage } from "./contract";
import { createDemoModel } from "./demo";
import { figuresOf, flatCost, listedCost } from "./figures";
import { FAVOURITES, smallModelId } from "./known";
import type { ListedModel } from "./listing";
import { ListingCache } from "./listing-cache";
import type { ModelCatalog, UsableModel } from "./port";
import { createLanguageModel } from "./provider";
import { type ProviderAccess, parseModelRef } from "./provider-access";
import { environmentAccess } from "./provider-env";
import { acceptsImages } from "./vision";

const DEMO: UsableModel = {
  info: {
    ref: DEMO_MODEL_REF,
    label: "Demo (scripted, not an AI)",
    provider: "demo",
    contextTokens: null,
    acceptsImages: false,
    price: { inputUsd: 0, outputUsd: 0, cacheReadUsd: 0, cacheWriteUsd: 0 },
  },
  model: createDemoModel(),
  costOf: () => 0,
};

/** The providers that a user has set up; each takes the place of the same one of the environment. */
export type UserAccess = (userId: string) => Promise<readonly ProviderAccess[]>;

export interface CatalogOptions {
  readonly env: ModelEnv;
  readonly userAccess?: UserAccess;
}

/**
 * The models of the environment's providers and of the user's own, and the demo model. A model that a provider does not list
 * can be named too: lists lack aliases and previews, and the provider says itself what it does not know.
 */
export function createModelCatalog({ env, userAccess = async () => [] }: CatalogOptions): ModelCatalog {
  const fromEnvironment = environmentAccess(env);
  const listings = new ListingCache();

  async function accessOf(userId: string): Promise<readonly ProviderAccess[]> {
    const own = await userAccess(userId);
    const kept = fromEnvironment.filter(({ provider }) => !own.some((access) => access.provider === provider));
    return [...kept, ...own];
  }

  async function find(userId: string, ref: string): Promise<UsableModel | null> {
    if (ref === DEMO_MODEL_REF) return DEMO;
    const named = parseModelRef(ref);
    const access = (await accessOf(userId)).find(({ provider }) => provider === named?.provider);
    if (!named || !access) return null;
    const listed = (await listings.get(access)).find(({ id }) => id === named.modelId);
    const info = describe(access, named.modelId, listed);
    return {
      info,
      model: createLanguageModel(access, named.modelId),
      costOf: (usage) => costOf(access, named.modelId, listed, usage),
    };
  }

  async function list(userId: string): Promise<readonly ModelInfo[]> {
    const [accesses, first] = await Promise.all([accessOf(userId), defaultRef(userId)]);
    const groups = await Promise.all(accesses.map(async (access) => offer(access, await listings.get(access), first)));
    return [...groups.flat(), DEMO.info].sort((a, b) => Number(b.ref === first) - Number(a.ref === first));
  }

  async function defaultRef(userId: string): Promise<string> {
    const accesses = await accessOf(userId);
    const named = env.model === undefined ? null : (parseModelRef(env.model)?.provider ?? null);
    // One without a key would be a default that nobody can use.
    if (env.model !== undefined && (named === "demo" || accesses.some(({ provider }) => provider === named)))
      return env.model;
    for (const access of accesses) {
      const [first] = offeredIds(access, await listings.get(access));
      if (first !== undefined) return `${access.provider}/${first}`;
    }
    return DEMO_MODEL_REF;
  }

  async function findSmall(userId: string, ref: string): Promise<UsableModel | null> {
    // The demo costs nothing and needs nobody; what is made for it must not either.
    if (ref === DEMO_MODEL_REF) return null;
    if (env.smallModel !== undefined) return find(userId, env.smallModel);
    const named = parseModelRef(ref);
    const access = (await accessOf(userId)).find(({ provider }) => provider === named?.provider);
    return named && access ? find(userId, `${access.provider}/${smallModelId(access.provider, named.modelId)}`) : null;
  }

  return { list, find, findSmall, defaultRef };
}

/** Favourites first, then what else the provider lists. */
function offeredIds({ provider }: ProviderAccess, listed: readonly ListedModel[]): string[] {
  const ids = listed.map(({ id }) => id).sort();
  const favourites = FAVOURITES[provider].filter((id) => ids.length === 0 || ids.includes(id));
  return [...new Set([...favourites, ...ids])];
}

/** What a provider has to choose from; the reference that the operator named is always among it. */
function offer(access: ProviderAccess, listed: readonly ListedModel[], wanted: string): ModelInfo[] {
  const { provider } = access;
  const byId = new Map(listed.map((model) => [model.id, model]));
  const named = parseModelRef(wanted);
  const ids = new Set([...(named?.provider === provider ? [named.modelId] : []), ...offeredIds(access, listed)]);
  return [...ids].map((id) => describe(access, id, byId.get(id)));
}

function describe(access: ProviderAccess, modelId: string, listed: ListedModel | undefined): ModelInfo {
  const { provider, baseUrl } = access;
  const figures = figuresOf(provider, modelId, baseUrl);
  return {
    ref: `${provider}/${modelId}`,
    label: `${listed?.label ?? modelId} (${PROVIDER_LABELS[provider]})`,
    provider,
    contextTokens: listed?.contextTokens ?? figures.contextTokens,
    acceptsImages: acceptsImages(modelId, listed?.acceptsImages ?? null),
    price: listed?.price ?? figures.price,
  };
}

function costOf(
  access: ProviderAccess,
  modelId: string,
  listed: ListedModel | undefined,
  usage: StepUsage,
): number | null {
  // The provider's own price goes before the list's, which has tiers that flat prices lack.
  if (listed?.price) return flatCost(listed.price, usage);
  return listedCost(access.provider, modelId, access.baseUrl, usage);
}
