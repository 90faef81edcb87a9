import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readAfter } from "./after";
import { openApiDocument } from "./openapi";
import { corsHeaders, isOwnOrigin } from "./origin";
import { ROUTES } from "./route-registry";

const API = path.resolve(import.meta.dirname, "../../app/api");

function routeFiles(): { readonly path: string; readonly text: string }[] {
  return readdirSync(API, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "route.ts")
    .map((file) => ({
      path: `/api/${path.dirname(file)}`.replace(/\[(?:\.\.\.)?(\w+)\]/g, "{$1}"),
      text: readFileSync(path.join(API, file), "utf8"),
    }));
}

describe("the route registry", () => {
  test("every handler in app/api is made by defineRoute under its own path and method, and every entry has a handler", () => {
    const found = new Set<string>();
    for (const file of routeFiles()) {
      for (const match of file.text.matchAll(/export const (GET|POST|PATCH|DELETE|PUT) = defineRoute\(\s*"(\w+)"/g)) {
        const [, method, name] = match;
        const spec = ROUTES[name as keyof typeof ROUTES];
        expect({ path: spec?.path, method: spec?.method }, file.path).toEqual({ path: file.path, method });
        found.add(name ?? "");
      }
      const exported =
        file.text.match(/export (?:const|async function|function) (?:GET|POST|PATCH|DELETE|PUT)\b/g)?.length ?? 0;
      const defined = file.text.match(/export const \w+ = defineRoute\(/g)?.length ?? 0;
      expect(exported, `${file.path} exports a handler that is not made by defineRoute`).toBe(defined);
    }
    expect([...found, "unknown"].sort()).toEqual(Object.keys(ROUTES).sort());
  });

  test("only the health routes are open", () => {
    const open = Object.entries(ROUTES).filter(([, spec]) => spec.auth === "open");
    expect(open.map(([name]) => name).sort()).toEqual(["healthz", "readyz"]);
  });

  test("the OpenAPI document has every route with its answer", () => {
    const { paths } = openApiDocument();
    for (const [name, spec] of Object.entries(ROUTES)) {
      if (name === "unknown") continue;
      expect(paths[spec.path]?.[spec.method.toLowerCase()], name).toMatchObject({
        responses: { [spec.status]: expect.anything() },
      });
    }
  });
});

describe("where a stream begins", () => {
  test("absent or negative is the beginning, garbage is malformed", () => {
    expect(readAfter(undefined, null)).toEqual({ ok: true, value: 0 });
    expect(readAfter("-1", null)).toEqual({ ok: true, value: 0 });
    expect(readAfter("7", null)).toEqual({ ok: true, value: 7 });
    for (const bad of ["x", "1.5", "", "1e3", " 1"])
      expect(readAfter(bad, null)).toMatchObject({ ok: false, error: { code: "malformed" } });
  });

  test("the header wins over the query, an unreadable header is the beginning", () => {
    expect(readAfter("3", "9")).toEqual({ ok: true, value: 9 });
    expect(readAfter("3", "garbage")).toEqual({ ok: true, value: 0 });
  });
});

describe("origins", () => {
  const headers = (entries: Record<string, string>) => new Headers({ host: "localhost:3000", ...entries });
  test("a cookie call that changes something must come from our own pages", () => {
    expect(isOwnOrigin("POST", headers({ "sec-fetch-site": "same-origin", origin: "http://localhost:3000" }))).toBe(
      true,
    );
    expect(isOwnOrigin("POST", headers({ origin: "http://localhost:3000" }))).toBe(true);
    expect(isOwnOrigin("GET", headers({ origin: "https://evil.example" }))).toBe(true);
    for (const bad of [
      {},
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "http://localhost:3001" },
      { "sec-fetch-site": "same-site", origin: "http://localhost:3000" },
      { "sec-fetch-site": "cross-site" },
    ]) {
      expect(isOwnOrigin("POST", headers(bad as Record<string, string>)), JSON.stringify(bad)).toBe(false);
    }
  });

  test("no foreign origin by default", () => {
    expect(corsHeaders("https://a.example", [])).toEqual({});
    expect(corsHeaders("https://a.example", ["https://a.example"])).toMatchObject({
      "Access-Control-Allow-Origin": "https://a.example",
    });
  });
});
