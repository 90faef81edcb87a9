import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { configView } from "@/lib/session/contract";
import { api } from "./subject";

const root = path.resolve(import.meta.dirname, "../..");

interface Operation {
  readonly responses: Record<string, { content?: Record<string, unknown> }>;
  readonly requestBody?: { content?: Record<string, { schema?: Record<string, unknown> }> };
}
interface Document {
  readonly openapi: string;
  readonly info: { title: string; version: string };
  readonly paths: Record<string, Record<string, Operation>>;
}

const document = async () => (await api.get("/api/openapi.json")).body as Document;

/** The calls of api.md that are built now. */
const CALLS = `
GET /api/config
GET /api/openapi.json
GET /api/healthz
GET /api/readyz
POST /api/sessions
GET /api/sessions
GET /api/sessions/{}
PATCH /api/sessions/{}
DELETE /api/sessions/{}
GET /api/sessions/{}/start
POST /api/sessions/{}/start/retry
POST /api/sessions/{}/start/cancel
GET /api/sessions/{}/sandbox
GET /api/sessions/{}/sandbox/transitions
POST /api/sessions/{}/sandbox/hibernate
POST /api/sessions/{}/sandbox/resume
POST /api/sessions/{}/sandbox/activity
GET /api/sessions/{}/chats
POST /api/sessions/{}/chats
GET /api/chats/{}
PATCH /api/chats/{}
DELETE /api/chats/{}
POST /api/chats/{}/read
POST /api/chats/{}/messages
GET /api/chats/{}/messages
PATCH /api/chats/{}/messages/{}
DELETE /api/chats/{}/messages/{}
GET /api/chats/{}/events
POST /api/chats/{}/stop
POST /api/chats/{}/answers
GET /api/sessions/{}/files
GET /api/sessions/{}/files/content
POST /api/sessions/{}/files
GET /api/sessions/{}/diff
POST /api/sessions/{}/git/commit
GET /api/sessions/{}/usage
GET /api/usage
GET /api/providers
POST /api/providers/{}
DELETE /api/providers/{}
POST /api/providers/{}/test
`
  .trim()
  .split("\n");

const shape = (method: string, template: string) => `${method.toUpperCase()} ${template.replaceAll(/\{\w+\}/g, "{}")}`;

describe("the published document", () => {
  test("is OpenAPI 3.1 and names every call of the contract", async () => {
    const { openapi, info, paths } = await document();
    expect(openapi).toMatch(/^3\.1\./);
    expect(info.title).toMatch(/dormouse/i);
    const known = Object.entries(paths).flatMap(([template, item]) =>
      Object.keys(item)
        .filter((key) => ["get", "post", "put", "patch", "delete"].includes(key))
        .map((method) => shape(method, template)),
    );
    expect(known).toEqual(expect.arrayContaining(CALLS));
  });

  test("leaves out no route file of the app", async () => {
    const { paths } = await document();
    const templates = new Set(Object.keys(paths).map((template) => template.replaceAll(/\{\w+\}/g, "{}")));
    const api = path.join(root, "app/api");
    const files = readdirSync(api, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith("route.ts"));
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
      if (file.includes("[...")) continue; // the catch-all answers 404
      const template = `/api/${path.dirname(file).replaceAll(/\[\w+\]/g, "{}")}`;
      expect(templates, file).toContain(template);
    }
  });

  test("describes bodies strictly and errors by their shape", async () => {
    const { paths } = await document();
    const create = paths["/api/sessions"]?.post;
    const body = JSON.stringify(create?.requestBody ?? {});
    for (const field of ["prompt", "idleTimeoutSeconds", "newBranch", "parentId"]) expect(body).toContain(field);
    expect(JSON.stringify(create)).toContain('"additionalProperties":false');
    for (const [template, item] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(item)) {
        expect(Object.keys(operation.responses ?? {}).length, `${method} ${template}`).toBeGreaterThan(0);
        if (!/healthz|readyz/.test(template)) {
          const errors = operation.responses.default ?? operation.responses["401"];
          expect(JSON.stringify(errors), template).toContain("requestId");
        }
      }
    }
  });
});

describe("the configuration", () => {
  test("names models, limits, capabilities and the way to sign in, and holds no secret", async () => {
    const config = await api.read("/api/config", configView);
    expect(config.defaultModel).toBe("demo/demo");
    expect(config.models.map(({ ref }) => ref)).toContain("demo/demo");
    expect(config.signIn).toBe("link");
    expect(config.localRepos).toBe(true);
    expect(config.sandbox.provider).toBe("local");
    expect(config.sandbox.capabilities).toMatchObject({ isolation: "namespaces" });
    expect(config.limits).toMatchObject({
      maxActive: 200,
      uploadMaxBytes: 1024 * 1024,
      createLimit: { count: 100_000, seconds: 60 },
    });
    const text = JSON.stringify(config);
    expect(text).not.toContain(api.token);
    expect(text).not.toContain("postgres:");
  });
});
