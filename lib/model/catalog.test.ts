import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { parseEnv } from "@/lib/env";
import { baseUrlOf, type ModelServer, startModelServer } from "@/tests/fixtures/model-server/server";
import { createModelCatalog } from "./catalog";

const USER = "user";
let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(() => server.badKeys.clear());

const catalog = (env: Record<string, string> = {}) => createModelCatalog({ env: parseEnv(env).models });
const real = (more: Record<string, string> = {}) =>
  catalog({ ANTHROPIC_API_KEY: "sk-a", ANTHROPIC_BASE_URL: baseUrlOf(server, "anthropic"), ...more });

test("without any provider there is the demo model, which says what it is and is the default", async () => {
  const models = catalog();
  const list = await models.list(USER);
  expect(list.map(({ ref }) => ref)).toEqual(["demo/demo"]);
  expect(list[0]?.label).toMatch(/scripted/);
  expect(await models.defaultRef(USER)).toBe("demo/demo");
  expect((await models.find(USER, "demo/demo"))?.model.provider).toBe("demo");
  expect(await models.find(USER, "demo/other")).toBeNull();
  expect(await models.find(USER, "anthropic/claude-sonnet-5")).toBeNull();
  expect(await models.findSmall(USER, "demo/demo")).toBeNull();
});

test("a provider's own list is offered, and a model that it does not list can be named", async () => {
  const models = real();
  expect((await models.list(USER)).map(({ ref }) => ref)).toEqual([
    "anthropic/model-a",
    "anthropic/model-b",
    "demo/demo",
  ]);
  expect(await models.find(USER, "anthropic/claude-opus-5-5")).toMatchObject({
    info: { contextTokens: 1_000_000, acceptsImages: true, price: { inputUsd: expect.any(Number) } },
  });
});

test("while a provider's list cannot be had, its best known models are offered", async () => {
  server.badKeys.add("sk-a");
  const refs = (await real().list(USER)).map(({ ref }) => ref);
  expect(refs[0]).toBe("anthropic/claude-sonnet-5");
  expect(refs.at(-1)).toBe("demo/demo");
});

test("figures that nobody publishes are unknown, not guessed", async () => {
  const models = catalog({ OPENAI_BASE_URL: baseUrlOf(server, "compatible") });
  const found = await models.find(USER, "compatible/gpt-4o");
  expect(found?.info).toMatchObject({ contextTokens: null, price: null });
  const usage = { inputTokens: 10, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  expect(found?.costOf(usage)).toBeNull();
});

test("cache reads and writes have their own price", async () => {
  const found = await real().find(USER, "anthropic/claude-sonnet-4-5");
  const usage = {
    inputTokens: 1000,
    outputTokens: 100,
    cacheReadTokens: 500,
    cacheWriteTokens: 100,
    reasoningTokens: 0,
  };
  expect(found?.costOf(usage)).toBeCloseTo((400 * 3 + 500 * 0.3 + 100 * 3.75 + 100 * 15) / 1e6, 10);
});

test("DORMOUSE_MODEL comes first and is the default; the key of a compatible server is never one for OpenAI", async () => {
  const models = catalog({
    OPENAI_API_KEY: "sk-o",
    OPENAI_BASE_URL: baseUrlOf(server, "compatible"),
    DORMOUSE_MODEL: "compatible/team/qwen3:8b",
  });
  const refs = (await models.list(USER)).map(({ ref }) => ref);
  expect(refs).toEqual(["compatible/team/qwen3:8b", "compatible/model-a", "compatible/model-b", "demo/demo"]);
  expect(await models.defaultRef(USER)).toBe("compatible/team/qwen3:8b");
  expect(await models.find(USER, "openai/gpt-5")).toBeNull();
  expect((await models.findSmall(USER, "compatible/x"))?.info.ref).toBe("compatible/x");
});

test("a DORMOUSE_MODEL whose provider is not set up is no default", async () => {
  expect(await catalog({ DORMOUSE_MODEL: "google/gemini-2.5-pro" }).defaultRef(USER)).toBe("demo/demo");
  expect(await real({ DORMOUSE_MODEL: "google/gemini-2.5-pro" }).defaultRef(USER)).toBe("anthropic/model-a");
});

test("the small model is of the chat's own provider unless the environment names one", async () => {
  expect((await real().findSmall(USER, "anthropic/claude-opus-5-5"))?.info.ref).toBe("anthropic/claude-haiku-4-5");
  const named = real({ DORMOUSE_SMALL_MODEL: "anthropic/tiny" });
  expect((await named.findSmall(USER, "anthropic/claude-opus-5-5"))?.info.ref).toBe("anthropic/tiny");
});

test.each([
  ["claude-sonnet-5", true],
  ["gpt-5.6-sol", true],
  ["gemini-3.8-flash", true],
  ["o3-mini", false],
  ["gpt-oss-20b", false],
  ["llava:13b", true],
  ["qwen2.5-vl-7b", true],
  ["qwen3:8b", false],
])("%s takes images: %s; what is not known counts as no", async (id, sees) => {
  const models = catalog({ OPENAI_BASE_URL: baseUrlOf(server, "compatible") });
  expect((await models.find(USER, `compatible/${id}`))?.info.acceptsImages).toBe(sees);
});
