import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { type ProviderTestView, providerListView, providerTestView } from "@/lib/model/contract";
import { configView } from "@/lib/session/contract";
import { dailyUsageView, sessionUsageView } from "@/lib/usage/contract";
import { violations } from "@/tests/crash/invariants";
import { baseUrlOf, type ModelServer, startModelServer } from "@/tests/fixtures/model-server/server";
import { parsed } from "./client";
import { api, expectError, other } from "./subject";

/** A real provider's package in the running app, against a server that speaks its protocol. */

const KEY = "sk-canary-of-the-api-suite";
const CLAUDE = "anthropic/claude-sonnet-4-5";
let server: ModelServer;

beforeAll(async () => {
  server = await startModelServer();
});
afterAll(async () => {
  await api.delete("/api/providers/anthropic");
  await server.close();
});
beforeEach(() => server.badKeys.clear());

const setUp = (key = KEY) =>
  api.post("/api/providers/anthropic", { apiKey: key, baseUrl: baseUrlOf(server, "anthropic") });
const tested = async (): Promise<ProviderTestView> =>
  parsed(await api.post("/api/providers/anthropic/test"), 200, providerTestView, "POST test");

// One after the other: they share a provider.
describe("models of a real provider", { concurrent: false }, () => {
  test("a provider is set up, tested and removed, and its key never comes back", async () => {
    const answer = await setUp();
    const { providers } = parsed(answer, 200, providerListView, "POST provider");
    expect(providers.find(({ provider }) => provider === "anthropic")).toMatchObject({
      source: "settings",
      key: "set",
    });
    expect(answer.text).not.toContain(KEY);
    expect((await api.get("/api/providers")).text).not.toContain(KEY);
    expect(await tested()).toMatchObject({ ok: true, models: 2 });
    const config = await api.read("/api/config", configView);
    expect(config.models.map(({ ref }) => ref)).toContain("anthropic/model-a");
    server.badKeys.add(KEY);
    expect(await tested()).toMatchObject({ ok: false, message: expect.stringMatching(/refused the key/) });
    expect((await api.delete("/api/providers/anthropic")).status).toBe(204);
    expect(await tested()).toMatchObject({ ok: false });
  });

  test("bodies are strict, an unknown provider is 404, and a guest may not name a private address", async () => {
    expectError(await api.post("/api/providers/anthropic", { apiKey: "a b" }), 400, "malformed");
    expectError(await api.post("/api/providers/anthropic", { key: "x" }), 400, "malformed");
    expectError(await api.post("/api/providers/compatible", {}), 422, "unprocessable");
    expectError(await api.post("/api/providers/mistral", { apiKey: "x" }), 404, "not_found");
    expectError(await api.post("/api/providers/mistral/test"), 404, "not_found");
    const refused = await other.post("/api/providers/compatible", { baseUrl: baseUrlOf(server, "compatible") });
    expect(expectError(refused, 422, "unprocessable").details).toMatchObject({ field: "baseUrl" });
  });

  test("a turn runs on it, the model is switched in mid-chat, and usage is told to its user alone", async () => {
    await setUp();
    server.respond((request) =>
      request.body.stream === true && !request.text.includes("from-42")
        ? {
            calls: [{ id: "c1", name: "bash", arguments: '{"command":"env; echo from-$((40+2))"}' }],
            usage: { input: 1000, output: 100 },
          }
        : { text: "All done.", usage: { input: 1000, output: 100 } },
    );
    const made = await api.create({ title: "Models" });
    const { id: chatId } = made.chat;
    expect((await api.patch(`/api/chats/${chatId}`, { model: CLAUDE })).status).toBe(200);
    const turn = await api.turn(chatId, "Look round.");
    expect([turn.state, turn.text], turn.reason ?? "").toEqual(["completed", "All done."]);
    const asked = server.requests.filter((request) => request.model === "claude-sonnet-4-5");
    expect(asked.at(-1)?.text).toContain("from-42");
    // What the sandbox sees of its environment went to the model: no key was in it.
    for (const request of asked) expect(request.text).not.toContain(KEY);

    expect(turn.events.filter(({ name }) => name === "usage")).toHaveLength(2);
    const path = `/api/sessions/${made.session.id}/usage`;
    const usage = await api.read(path, sessionUsageView);
    // A third one may be that of the title.
    expect(usage.byModel.find(({ model }) => model === CLAUDE)).toMatchObject({ calls: 2, inputTokens: 2000 });
    expect(usage.turns.map(({ turnId }) => turnId)).toEqual([turn.id]);
    expectError(await other.get(path), 404, "not_found");
    const daily = await api.read("/api/usage?days=1", dailyUsageView);
    expect(daily.days).toHaveLength(1);
    expect(daily.byModel.map(({ model }) => model)).toContain(CLAUDE);
    expectError(await api.get("/api/usage?days=0"), 400, "malformed");

    expect((await api.patch(`/api/chats/${chatId}`, { model: "demo/demo" })).status).toBe(200);
    expect((await api.turn(chatId, "say back")).text).toContain("back");
    expectError(await api.patch(`/api/chats/${chatId}`, { model: "google/gemini-2.5-pro" }), 422, "unprocessable");

    const readable = await violations(inject("main").databaseUrl, [KEY]);
    expect(readable.filter((found) => found.includes("a secret is readable"))).toEqual([]);
  });

  test("limits of a session are changed in place, strictly", async () => {
    const made = await api.create({ title: "Limits", limits: { sessionMaxCostUsd: 1 } });
    const path = `/api/sessions/${made.session.id}`;
    expect(
      (await api.patch(path, { limits: { sessionMaxCostUsd: 2, maxSteps: 5, sessionMaxSteps: null } })).status,
    ).toBe(200);
    expect((await api.read(`${path}/usage`, sessionUsageView)).limits).toEqual({
      maxSteps: 5,
      maxCostUsd: null,
      sessionMaxSteps: null,
      sessionMaxCostUsd: 2,
    });
    expectError(await api.patch(path, { limits: { maxSteps: 0 } }), 400, "malformed");
    expectError(await api.patch(path, { limits: { nonsense: 1 } }), 400, "malformed");
  });
});
