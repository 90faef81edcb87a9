import { expect, test } from "vitest";
import { type ListedModel, listModels } from "./listing";
import type { ProviderAccess } from "./provider-access";

/** What `listModels` makes of one entry of a provider's list. */
async function read(provider: ProviderAccess["provider"], entry: object): Promise<ListedModel | undefined> {
  const list = { [provider === "google" || provider === "gateway" ? "models" : "data"]: [entry] };
  const access: ProviderAccess = {
    provider,
    apiKey: "k",
    baseUrl: "http://models.example",
    revision: "1",
    fetch: async () => Response.json(list),
  };
  const [model] = await listModels(access, new AbortController().signal);
  return model;
}

test.each([null, "", " ", 0, "0", -1, true, "many"])("a window of %j is no window", async (said) => {
  for (const name of ["context_length", "max_model_len", "max_context_length"])
    expect(await read("compatible", { id: "m", [name]: said })).toMatchObject({ id: "m", contextTokens: null });
  expect(await read("google", { name: "models/m", inputTokenLimit: said })).toMatchObject({
    id: "m",
    contextTokens: null,
  });
});

test("a window that one name leaves open is read from the next", async () => {
  const entry = { id: "m", context_length: null, max_model_len: "32768" };
  expect(await read("compatible", entry)).toMatchObject({ contextTokens: 32_768 });
});

test.each([null, "", " ", -1, "-1", false, "free", undefined])(
  "a price of %j is unknown and never free",
  async (said) => {
    const compatible = { id: "m", pricing: { prompt: said, completion: "0.000002" } };
    expect(await read("compatible", compatible)).toMatchObject({ id: "m", price: null });
    expect(await read("gateway", { id: "m", pricing: { input: "0.000001", output: said } })).toMatchObject({
      price: null,
    });
    const cached = { id: "m", pricing: { input: "0.000001", output: "0.000002", cachedInputTokens: said } };
    expect(await read("gateway", cached)).toMatchObject({ price: { inputUsd: 1, outputUsd: 2, cacheReadUsd: null } });
  },
);

test("a price of zero that is said is free", async () => {
  const entry = { id: "m", pricing: { prompt: "0", completion: 0 } };
  expect(await read("compatible", entry)).toMatchObject({ price: { inputUsd: 0, outputUsd: 0 } });
});

test("a name that is no name does not cost the whole list", async () => {
  expect(await read("anthropic", { id: "m", display_name: null })).toMatchObject({ id: "m", label: null });
  expect(await read("gateway", { id: "m", name: null })).toMatchObject({ id: "m", label: null });
  expect(await read("google", { name: "models/m", displayName: null })).toMatchObject({ id: "m", label: null });
});
