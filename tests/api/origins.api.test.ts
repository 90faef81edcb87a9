import { describe, expect, inject, test } from "vitest";
import { TOOLS_ORIGIN } from "./global-setup";
import { api, expectError } from "./subject";

const own = new URL(inject("main").url).origin;

/** Signs in as the browser does with the printed link. */
async function signIn(): Promise<{ cookie: string; setCookie: string; location: string; status: number }> {
  const answer = await api.get(`/?token=${api.token}`, { anonymous: true });
  const setCookie = answer.headers.get("set-cookie") ?? "";
  return {
    status: answer.status,
    setCookie,
    cookie: setCookie.split(";")[0] ?? "",
    location: answer.headers.get("location") ?? "",
  };
}

describe("sign-in by link", () => {
  test("sets a cookie that scripts cannot read and drops the token from the address bar", async () => {
    const { status, setCookie, location } = await signIn();
    expect([302, 303, 307]).toContain(status);
    expect(setCookie).toMatch(/httponly/i);
    expect(setCookie).toMatch(/samesite=(lax|strict)/i);
    expect(setCookie).toMatch(/path=\//i);
    expect(location).not.toContain("token");
    expect(new URL(location, own).origin).toBe(own);
  });

  test("lets the cookie read and write", async () => {
    const { cookie } = await signIn();
    const read = await api.get("/api/sessions", { anonymous: true, headers: { cookie } });
    expect(read.status, read.text).toBe(200);
    const write = await api.post("/api/sessions", {}, { anonymous: true, headers: { cookie, origin: own } });
    expect(write.status, write.text).toBe(201);
  });

  test("with a wrong token sets no cookie and shows no app", async () => {
    const answer = await api.get("/?token=wrong", { anonymous: true });
    expect(answer.headers.get("set-cookie") ?? "").not.toMatch(/=[^;]{10,}/);
    const forged = await api.get("/api/sessions", { anonymous: true, headers: { cookie: "dormouse=forged" } });
    expectError(forged, 401);
  });

  test("does not redirect to a foreign place", async () => {
    for (const path of [`//evil.example/?token=${api.token}`, `/\\evil.example?token=${api.token}`]) {
      const answer = await api.get(path, { anonymous: true });
      const location = answer.headers.get("location");
      if (location) expect(new URL(location, own).host).toBe(new URL(own).host);
    }
  });
});

describe("a call by cookie that changes something", () => {
  test.for([
    ["a foreign origin", { origin: "https://evil.example" }],
    ["the null origin", { origin: "null" }],
    ["our host on another port", { origin: "http://127.0.0.1:1" }],
    ["no origin at all", {}],
    ["a cross-site fetch", { "sec-fetch-site": "cross-site" }],
    ["a same-site, not same-origin fetch", { "sec-fetch-site": "same-site" }],
    ["an origin that may only use tokens", { origin: TOOLS_ORIGIN }],
  ] as const)("is 403 from %s", async ([, headers]) => {
    const { cookie } = await signIn();
    const before = await count();
    const answer = await api.post(
      "/api/sessions",
      { title: "cross-site" },
      { anonymous: true, headers: { cookie, ...headers } },
    );
    expectError(answer, 403, "cross_origin");
    expect(await count()).toBe(before);
  });

  async function count(): Promise<number> {
    const list = (await api.get("/api/sessions?q=cross-site")).body as { sessions: unknown[] };
    return list.sessions.length;
  }
});

describe("foreign origins", () => {
  test("get no CORS headers", async () => {
    const answer = await api.get("/api/sessions", { headers: { origin: "https://evil.example" } });
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    const preflight = await api.request("OPTIONS", "/api/sessions", undefined, {
      anonymous: true,
      headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
    });
    expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("named in the settings may call with a token, never with cookies", async () => {
    const preflight = await api.request("OPTIONS", "/api/sessions", undefined, {
      anonymous: true,
      headers: {
        origin: TOOLS_ORIGIN,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization, content-type",
      },
    });
    expect(preflight.status).toBeLessThan(300);
    expect(preflight.headers.get("access-control-allow-origin")).toBe(TOOLS_ORIGIN);
    expect(preflight.headers.get("access-control-allow-methods")).toMatch(/POST/);
    expect(preflight.headers.get("access-control-allow-headers")).toMatch(/authorization/i);
    expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();

    const call = await api.post("/api/sessions", {}, { headers: { origin: TOOLS_ORIGIN } });
    expect(call.status, call.text).toBe(201);
    expect(call.headers.get("access-control-allow-origin")).toBe(TOOLS_ORIGIN);
    expect(call.headers.get("vary") ?? "").toMatch(/origin/i);
  });

  test("read an error of a token call from a named origin as well", async () => {
    const answer = await api.get("/api/sessions/none", { headers: { origin: TOOLS_ORIGIN } });
    expectError(answer, 404);
    expect(answer.headers.get("access-control-allow-origin")).toBe(TOOLS_ORIGIN);
  });
});

describe("headers of answers", () => {
  test("every page answer, redirects and errors included, carries a content security policy", async () => {
    const { cookie } = await signIn();
    const pages: [string, Record<string, string>][] = [
      ["/", {}],
      [`/?token=${api.token}`, {}],
      ["/?token=wrong", {}],
      ["/", { cookie }],
      ["/no/such/page", { cookie }],
      ["/no/such/page", {}],
      ["/sessions/none/chats/none", { cookie }],
      ["/sessions/none/chats/none", {}],
    ];
    for (const [path, headers] of pages) {
      const answer = await api.get(path, { anonymous: true, headers });
      const policy = answer.headers.get("content-security-policy") ?? "";
      expect(policy, `${path} (${answer.status})`).toContain("default-src");
      expect(policy).toMatch(/frame-ancestors/);
      const scripts = policy.split(";").find((part) => part.trim().startsWith("script-src")) ?? "";
      expect(scripts, path).not.toContain("unsafe-inline");
      expect(scripts, path).not.toContain("unsafe-eval");
      expect(answer.headers.get("cache-control") ?? "", path).toContain("no-store");
    }
  });

  test("hashed assets are immutable, API answers are not stored", async () => {
    const { cookie } = await signIn();
    const page = await api.get("/", { anonymous: true, headers: { cookie } });
    expect(page.status).toBe(200);
    const asset = page.text.match(/\/_next\/static\/[^"'\\ ]+\.(?:js|css)/)?.[0];
    expect(asset).toBeDefined();
    const file = await api.get(asset ?? "", { anonymous: true });
    expect(file.status).toBe(200);
    expect(file.headers.get("cache-control")).toContain("immutable");
    expect((await api.get("/api/sessions")).headers.get("cache-control")).toContain("no-store");
  });
});

describe("internal routes", () => {
  test.for([
    "/.well-known/workflow/v1/flow",
    "/.well-known/workflow/v1/step",
    "/.well-known/workflow/v1/manifest.json",
    "/.well-known/workflow/v1/webhook/guess",
  ])("%s does not exist for callers from outside", async (path) => {
    const headers = {
      "x-vqs-queue-name": "__wkf_step_x",
      "x-vqs-message-id": "m",
      "x-vqs-message-attempt": "1",
      "content-type": "application/json",
    };
    expect((await api.get(path)).status).toBe(404);
    const post = await api.post(path, { runId: "wrun_1", runInput: {} }, { headers });
    expect(post.status, post.text).toBe(404);
    expect((await api.get(`${path}?__health`)).status).toBe(404);
  });
});

describe("health", () => {
  test("is open to all", async () => {
    for (const path of ["/api/healthz", "/api/readyz"]) {
      const answer = await api.get(path, { anonymous: true });
      expect(answer.status, answer.text).toBe(200);
    }
  });

  test("of readiness says that nothing is down", async () => {
    const { body } = await api.get("/api/readyz", { anonymous: true });
    expect(body).toMatchObject({ ok: true, down: [] });
  });
});
