import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { CreateSessionView } from "@/lib/session/contract";
import { Client } from "./client";
import { api, expectError, other } from "./subject";

const METHODS = ["get", "post", "put", "patch", "delete"] as const;

/** Every operation of the published document, with ids that name nothing. */
async function operations(fill: (name: string) => string): Promise<{ method: string; path: string }[]> {
  const document = (await api.get("/api/openapi.json")).body as { paths: Record<string, Record<string, unknown>> };
  return Object.entries(document.paths).flatMap(([template, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map((method) => ({
      method: method.toUpperCase(),
      path: template.replaceAll(/\{(\w+)\}/g, (_, name: string) => fill(name)),
    })),
  );
}

const OPEN = new Set(["/api/healthz", "/api/readyz"]);

describe("who may in", () => {
  test("every route but health answers 401 without credentials, before it looks at ids or bodies", async () => {
    const all = (await operations(() => "no-such-id")).filter(({ path }) => !OPEN.has(path));
    expect(all.length).toBeGreaterThan(25);
    for (const { method, path } of all) {
      const answer = await api.request(method, path, undefined, {
        anonymous: true,
        ...(method === "GET" ? {} : { raw: "{ not json", headers: { "content-type": "application/json" } }),
      });
      expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(401);
      expectError(answer, 401, "unauthorized");
    }
  });

  test("a route that does not exist is 401 for the unknown caller and 404 for the known one", async () => {
    expectError(await api.get("/api/no/such/route", { anonymous: true }), 401, "unauthorized");
    expectError(await api.get("/api/no/such/route"), 404, "not_found");
    expectError(await api.post("/api/no/such/route", {}), 404, "not_found");
  });

  test.for([
    ["a wrong token", "Bearer wrong"],
    ["an empty token", "Bearer "],
    ["another scheme", "Basic dXNlcjpwYXNz"],
    ["a token without a scheme", "plain"],
  ])("%s is 401", async ([, authorization]) => {
    expectError(
      await api.get("/api/sessions", { headers: { authorization: authorization ?? "" } }),
      401,
      "unauthorized",
    );
  });

  test("a token with one letter changed is 401", async () => {
    const last = api.token.at(-1) === "a" ? "b" : "a";
    const near = new Client(api.url, api.token.slice(0, -1) + last);
    expectError(await near.get("/api/sessions"), 401);
    expectError(await new Client(api.url, `${api.token}x`).get("/api/sessions"), 401);
  });

  test("the token is not accepted in the query string of an API call", async () => {
    expectError(await api.get(`/api/sessions?token=${api.token}`, { anonymous: true }), 401);
  });
});

describe("what is not yours", () => {
  let theirs: CreateSessionView;
  beforeAll(async () => {
    theirs = await api.create({ title: "private" });
  });

  test("answers exactly like what does not exist, on every route that takes an id", async () => {
    const known = (name: string) => (name === "id" || name === "sessionId" ? theirs.session.id : theirs.chat.id);
    const foreign = (await operations(known)).filter(({ path }) => path.includes(theirs.session.id));
    const chats = (await operations(() => theirs.chat.id)).filter(({ path }) => path.startsWith("/api/chats/"));
    expect(foreign.length).toBeGreaterThan(10);
    expect(chats.length).toBeGreaterThan(7);
    for (const { method, path } of [...foreign, ...chats]) {
      const missing = path.replaceAll(theirs.session.id, randomUUID()).replaceAll(theirs.chat.id, randomUUID());
      const body = method === "GET" || method === "DELETE" ? undefined : {};
      const [one, two] = await Promise.all([other.request(method, path, body), other.request(method, missing, body)]);
      expect(one.status, `${method} ${path}: ${one.text}`).toBe(two.status);
      expect([404, 400], `${method} ${path}: ${one.text}`).toContain(one.status);
      const scrub = (text: string) => text.replace(/"requestId":"[^"]*"/, "");
      expect(scrub(one.text)).toBe(scrub(two.text));
    }
    expect((await api.get(`/api/sessions/${theirs.session.id}`)).status).toBe(200);
  });

  test("is not in the list of another user, nor in the counts", async () => {
    const list = (await other.get("/api/sessions?q=private")).body as { sessions: { id: string }[] };
    expect(list.sessions.map(({ id }) => id)).not.toContain(theirs.session.id);
  });

  test("does not answer to its id in a creation of another user", async () => {
    const answer = await other.post("/api/sessions", { id: theirs.session.id, title: "private" });
    expect([404, 409]).toContain(answer.status);
    expect(answer.text).not.toContain(theirs.chat.id);
    const child = await other.post("/api/sessions", { parentId: theirs.session.id });
    expect([404, 422]).toContain(child.status);
  });

  test("a valid write to it changes nothing", async () => {
    expectError(await other.patch(`/api/sessions/${theirs.session.id}`, { title: "mine now" }), 404, "not_found");
    expectError(await other.delete(`/api/sessions/${theirs.session.id}`), 404, "not_found");
    expectError(
      await other.post(`/api/chats/${theirs.chat.id}/messages`, { id: "m-1", text: "hello" }),
      404,
      "not_found",
    );
    const { body } = await api.get(`/api/sessions/${theirs.session.id}`);
    expect(body).toMatchObject({ session: { title: "private", status: "running" } });
    expect((await api.messages(theirs.chat.id)).messages).toEqual([]);
  });
});

describe("ids", () => {
  test.for(["not-a-uuid", "%2e%2e%2f", "' OR 1=1", "0".repeat(500)])("%s names nothing: 404", async (id) => {
    expectError(await api.get(`/api/sessions/${encodeURIComponent(id)}`), 404, "not_found");
    expectError(await api.get(`/api/chats/${encodeURIComponent(id)}`), 404, "not_found");
  });
});
