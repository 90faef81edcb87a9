import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parseEnv } from "@/lib/env";
import { createTestDeps, type TestDeps } from "@/lib/testing/deps";
import { must } from "@/lib/testing/scene";
import { violations } from "@/tests/crash/invariants";
import { baseUrlOf, type ModelServer, startModelServer } from "@/tests/fixtures/model-server/server";
import { createTestDatabase, type TestDatabase } from "@/tests/harness/database";
import type { ProviderId } from "./contract";
import { listProviders, removeProvider, setProvider, testProvider } from "./provider-service";

const KEY = "sk-canary-of-a-person";

let database: TestDatabase;
let server: ModelServer;
let deps: TestDeps;
/** The owner of a one-machine deployment. */
const owner = randomUUID();

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startModelServer();
  deps = await createTestDeps(database.url);
  await deps.query("INSERT INTO users (id, name) VALUES ($1, 'owner')", [owner]);
});
afterAll(async () => {
  await deps.close();
  await server.close();
  await database.drop();
});
beforeEach(async () => {
  server.badKeys.clear();
  await deps.query("DELETE FROM provider_keys");
});

async function stateOf(userId: string, provider: ProviderId) {
  const { providers } = must(await listProviders(deps, userId));
  const found = providers.find((one) => one.provider === provider);
  if (!found) throw new Error(`no ${provider}`);
  return found;
}
const anthropic = () => ({ apiKey: KEY, baseUrl: baseUrlOf(server, "anthropic") });

test("a key is sealed in the database, never sent back, and its models can be chosen at once", async () => {
  expect(await stateOf(owner, "anthropic")).toMatchObject({ source: null, key: "none" });
  const answer = must(await setProvider(deps, owner, "anthropic", anthropic()));
  expect(JSON.stringify(answer)).not.toContain(KEY);
  expect(await stateOf(owner, "anthropic")).toMatchObject({ source: "settings", key: "set" });
  expect(await violations(database.url, [KEY])).toEqual([]);
  const mode = (await stat(path.join(deps.env.dataDir, "secrets.key"))).mode & 0o777;
  expect(mode).toBe(0o600);
  expect((await deps.models.list(owner)).map(({ ref }) => ref)).toContain("anthropic/model-a");
  expect(await deps.models.defaultRef(owner)).toBe("anthropic/model-a");
});

test("a key is its user's alone, and a row that is moved to somebody else does not open", async () => {
  must(await setProvider(deps, owner, "anthropic", anthropic()));
  expect(await deps.models.find(deps.userId, "anthropic/model-a")).toBeNull();
  await deps.query("UPDATE provider_keys SET user_id = $1", [deps.userId]);
  expect(await deps.models.find(deps.userId, "anthropic/model-a")).toBeNull();
  expect((await stateOf(deps.userId, "anthropic")).key).toBe("unreadable");
  expect(must(await testProvider(deps, deps.userId, "anthropic")).message).toMatch(/Enter it again/);
});

test("a removed key is gone, and one that never was can be removed too", async () => {
  must(await setProvider(deps, owner, "anthropic", anthropic()));
  must(await removeProvider(deps, owner, "anthropic"));
  must(await removeProvider(deps, owner, "anthropic"));
  expect(await deps.models.find(owner, "anthropic/model-a")).toBeNull();
  expect((await setProvider(deps, owner, "no-such", {})).ok).toBe(false);
});

test("a stored key is never sent to another address than the one it was given for", async () => {
  must(await setProvider(deps, owner, "anthropic", anthropic()));
  const moved = await setProvider(deps, owner, "anthropic", { baseUrl: "https://elsewhere.example/v1" });
  expect(moved).toMatchObject({ ok: false, error: { details: { field: "apiKey" } } });
  const same = await setProvider(deps, owner, "anthropic", { baseUrl: baseUrlOf(server, "anthropic") });
  expect(same.ok).toBe(true);
  expect(must(await testProvider(deps, owner, "anthropic")).ok).toBe(true);
  must(await setProvider(deps, owner, "compatible", { apiKey: KEY, baseUrl: baseUrlOf(server, "compatible") }));
  must(await setProvider(deps, owner, "compatible", { baseUrl: `${server.url}/openai` }));
  expect((await stateOf(owner, "compatible")).key).toBe("none");
});

describe("the test of a provider says in words", () => {
  const tried = async (provider: ProviderId, body: { apiKey?: string; baseUrl?: string }) => {
    must(await setProvider(deps, owner, provider, body));
    return must(await testProvider(deps, owner, provider));
  };

  test("that it works, and how many models it has", async () => {
    expect(await tried("anthropic", anthropic())).toEqual({ ok: true, message: "It works: 2 models.", models: 2 });
    expect(await tried("google", { apiKey: KEY, baseUrl: baseUrlOf(server, "google") })).toMatchObject({ ok: true });
    expect(await tried("compatible", { baseUrl: baseUrlOf(server, "compatible") })).toMatchObject({ ok: true });
  });

  test("that the key was refused, without repeating it", async () => {
    server.badKeys.add(KEY);
    const answer = await tried("anthropic", anthropic());
    expect(answer).toMatchObject({ ok: false, message: expect.stringMatching(/refused the key/) });
    expect(JSON.stringify(answer)).not.toContain(KEY);
  });

  test("that nobody answers there", async () => {
    expect(await tried("compatible", { baseUrl: "http://127.0.0.1:1/v1" })).toMatchObject({
      ok: false,
      message: "127.0.0.1:1 could not be reached.",
    });
  });

  test("that it is not set up", async () => {
    expect(must(await testProvider(deps, owner, "openai")).message).toBe("OpenAI is not set up.");
  });
});

describe("addresses", () => {
  test("the owner of a one-machine deployment may name private ones, nobody else may", async () => {
    const body = { baseUrl: "http://127.0.0.1:11434/v1" };
    expect((await setProvider(deps, owner, "compatible", body)).ok).toBe(true);
    expect(await setProvider(deps, deps.userId, "compatible", body)).toMatchObject({
      ok: false,
      error: { code: "unprocessable", details: { field: "baseUrl" } },
    });
    const accounts = { ...deps, env: parseEnv({ DORMOUSE_SIGN_IN: "accounts" }) };
    expect((await setProvider(accounts, owner, "compatible", body)).ok).toBe(false);
    expect(must(await listProviders(accounts, owner)).privateAddresses).toBe(false);
  });

  test.each([
    "https://localhost/v1",
    "https://[::1]/v1",
    "https://2130706433/v1",
    "https://169.254.169.254/v1",
    "https://10.1.2.3/v1",
    "http://models.example.com/v1",
    "https://user:pass@models.example.com/v1",
    "file:///etc/passwd",
    "gopher://models.example.com",
    "models.example.com",
  ])("%s is refused for everybody else", async (baseUrl) => {
    expect((await setProvider(deps, deps.userId, "compatible", { baseUrl })).ok).toBe(false);
  });

  test("a private address that is stored all the same is not connected to", async () => {
    await deps.query("INSERT INTO provider_keys (id, user_id, provider, base_url) VALUES ($1, $2, 'compatible', $3)", [
      randomUUID(),
      deps.userId,
      baseUrlOf(server, "compatible"),
    ]);
    const answer = must(await testProvider(deps, deps.userId, "compatible"));
    expect(answer).toMatchObject({ ok: false, message: expect.stringMatching(/private/) });
  });
});
