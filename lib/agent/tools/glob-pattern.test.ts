import { expect, test } from "vitest";
import { globToExtendedRegex } from "./glob-pattern";

const matches = (pattern: string, path: string) => new RegExp(`^(?:${globToExtendedRegex(pattern)})$`).test(path);

test.each([
  ["*.ts", "a.ts", true],
  ["*.ts", "src/deep/a.ts", true],
  ["*.ts", "a.tsx", false],
  ["src/*.ts", "src/a.ts", true],
  ["src/*.ts", "src/deep/a.ts", false],
  ["src/**/*.ts", "src/a.ts", true],
  ["src/**/*.ts", "src/x/y/a.ts", true],
  ["src/**", "src/x/y", true],
  ["./a.txt", "a.txt", true],
  ["./a.txt", "x/a.txt", false],
  ["{a,b}/?.md", "b/x.md", true],
  ["{a,b}/?.md", "c/x.md", false],
  ["[!a].md", "b.md", true],
  ["[!a].md", "a.md", false],
  ["a+(b).c", "a+(b).c", true],
  ["a.c", "abc", false],
  ["\\*.c", "*.c", true],
  ["\\*.c", "x.c", false],
  ["{open", "{open", true],
  ["a,b", "a,b", true],
])("%s on %s: %s", (pattern, path, expected) => {
  expect(matches(pattern, path)).toBe(expected);
});
