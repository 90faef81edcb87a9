import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { firstLoadBytes, firstLoadFiles } from "./first-load.mjs";

it("counts each script of a page once, after gzip", () => {
  const next = mkdtempSync(join(tmpdir(), "first-load-"));
  const page = "(app)/a";
  mkdirSync(join(next, "server", "app", page), { recursive: true });
  writeFileSync(join(next, "build-manifest.json"), JSON.stringify({ rootMainFiles: ["root.js"] }));
  const manifest = {
    entryJSFiles: { "[project]/app/layout": ["shared.js"], "[project]/app/a/page": ["shared.js", "own.js"] },
  };
  writeFileSync(
    join(next, "server", "app", page, "page_client-reference-manifest.js"),
    `globalThis.__RSC_MANIFEST = globalThis.__RSC_MANIFEST || {};\nglobalThis.__RSC_MANIFEST["/a"] = ${JSON.stringify(manifest)};`,
  );
  const files = ["root.js", "shared.js", "own.js"];
  for (const name of files) writeFileSync(join(next, name), `"${name.repeat(50)}"`);
  expect(firstLoadFiles(next, page)).toEqual(files);
  const sizes = files.map((name) => gzipSync(`"${name.repeat(50)}"`).length);
  expect(firstLoadBytes(next, page)).toBe(sizes.reduce((sum, size) => sum + size, 0));
  rmSync(next, { recursive: true });
});
