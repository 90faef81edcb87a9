import { expect, test } from "vitest";
import { fileKind } from "@/components/workspace/files/file-kind";
import { highlightCode } from "@/components/workspace/files/highlighter";

test.each([
  ["a/b.ts", { language: "typescript", image: null, markdown: false }],
  ["Makefile", { language: "make" }],
  ["README.MD", { markdown: true }],
  ["logo.svg", { image: "image/svg+xml", language: "xml" }],
  ["x.constructor", { language: null, image: null }],
  ["noending", { language: null }],
])("%s is shown as what its name says", (path, kind) => {
  expect(fileKind(path)).toMatchObject(kind);
});

test("highlighting keeps every character, takes its colours by name and makes no markup", async () => {
  const text = 'const a = "<script>alert(1)</script>"; // \u202e\n<b onclick="x">';
  const lines = await highlightCode(text, "typescript");
  expect(lines?.map((line) => line.map((token) => token.text).join("")).join("\n")).toBe(text);
  for (const { color } of lines?.flat() ?? []) expect(color).toMatch(/^var\(--code-[a-z-]+\)$/);
  expect(await highlightCode(text, "constructor")).toBeNull();
});

test("every language that a file name leads to has a grammar, and it can read", { timeout: 60_000 }, async () => {
  const names =
    "ts tsx js jsx json jsonc css scss less html vue svelte xml md mdx py rs go java kt c cpp cs swift rb php sh yaml toml ini sql lua diff tf gql proto ex scala dart dockerfile mk";
  for (const ending of names.split(" ")) {
    const { language } = fileKind(`x.${ending}`);
    expect(await highlightCode("a = 1\n", language ?? ""), ending).not.toBeNull();
  }
});
