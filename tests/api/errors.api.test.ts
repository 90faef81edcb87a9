import { beforeAll, describe, expect, test } from "vitest";
import type { CreateSessionView } from "@/lib/session/contract";
import { api, expectError } from "./subject";

const JSON_TYPE = { "content-type": "application/json" };

describe("bodies", () => {
  let made: CreateSessionView;
  beforeAll(async () => {
    made = await api.create({});
  });

  test.for(["{ not json", "", "[]", "null", '"text"', "{}{}"])("a body of %j is 400", async (raw) => {
    expectError(await api.post("/api/sessions", undefined, { raw, headers: JSON_TYPE }), 400, "malformed");
  });

  test("unknown keys are 400 and named, on every call that takes a body", async () => {
    const calls: [string, string, Record<string, unknown>][] = [
      ["POST", "/api/sessions", {}],
      ["PATCH", `/api/sessions/${made.session.id}`, { title: "x" }],
      ["POST", `/api/sessions/${made.session.id}/sandbox/hibernate`, {}],
      ["POST", `/api/sessions/${made.session.id}/chats`, {}],
      ["PATCH", `/api/chats/${made.chat.id}`, { title: "x" }],
      ["POST", `/api/chats/${made.chat.id}/messages`, { id: "m-1", text: "hello" }],
      ["PATCH", `/api/chats/${made.chat.id}/messages/m-1`, { text: "hello" }],
      ["POST", `/api/chats/${made.chat.id}/answers`, { toolCallId: "t", answer: "a" }],
      ["POST", `/api/sessions/${made.session.id}/git/commit`, {}],
    ];
    for (const [method, path, body] of calls) {
      const answer = await api.request(method, path, { ...body, surprise: 1 });
      expectError(answer, 400, "malformed");
      expect(answer.text, `${method} ${path}`).toContain("surprise");
    }
    expect((await api.messages(made.chat.id)).messages).toEqual([]);
  });

  test("identity in a body is an unknown key like any other", async () => {
    expectError(await api.post("/api/sessions", { ownerId: "somebody" }), 400, "malformed");
    expectError(await api.post("/api/sessions", { userId: "somebody" }), 400, "malformed");
  });

  test.for([
    ["title", { title: 7 }],
    ["title", { title: "   " }],
    ["title", { title: "x".repeat(201) }],
    ["prompt", { prompt: "" }],
    ["prompt", { prompt: " \n " }],
    ["prompt", { prompt: "x".repeat(200_001) }],
    ["id", { id: "not-a-uuid" }],
    ["repo", { repo: { branch: "main" } }],
    ["repo", { repo: "https://example.com/a.git" }],
    ["idleTimeoutSeconds", { idleTimeoutSeconds: 0 }],
    ["idleTimeoutSeconds", { idleTimeoutSeconds: 1.5 }],
    ["limits", { limits: { maxSteps: 0 } }],
    ["tags", { tags: "one" }],
  ] as const)("a bad %s is 400 and names the field: %j", async ([field, body]) => {
    const answer = await api.post("/api/sessions", body);
    const error = expectError(answer, 400, "malformed");
    expect(JSON.stringify(error)).toContain(field);
  });

  test("a body that is too large is 413", async () => {
    const raw = JSON.stringify({ title: "x", instructions: "y".repeat(12_000_000) });
    expectError(await api.post("/api/sessions", undefined, { raw, headers: JSON_TYPE }), 413, "too_large");
  });

  test("a body that is not declared as JSON is refused", async () => {
    const answer = await api.post("/api/sessions", undefined, {
      raw: JSON.stringify({ title: "form" }),
      headers: { "content-type": "text/plain" },
    });
    expect([400, 415]).toContain(answer.status);
  });
});

describe("every error", () => {
  test("carries a request id of its own, also as a header", async () => {
    const [one, two] = await Promise.all([api.get("/api/sessions/none"), api.get("/api/sessions/none")]);
    const first = expectError(one, 404);
    const second = expectError(two, 404);
    expect(first.requestId).not.toBe(second.requestId);
  });

  test("shows no stack, path or SQL", async () => {
    for (const answer of [
      await api.get("/api/sessions?cursor=%00"),
      await api.get("/api/sessions/%00"),
      await api.get("/api/sessions?limit=abc"),
      await api.post("/api/sessions", { title: "nul \u0000 byte" }),
    ]) {
      expect(answer.status, answer.text).toBeLessThan(500);
      expect(answer.text).not.toMatch(/node_modules|\bat .*\(|select |insert into/i);
    }
  });

  test("is JSON and not stored by caches", async () => {
    const answer = await api.get("/api/sessions/none");
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(answer.headers.get("cache-control")).toContain("no-store");
  });
});
