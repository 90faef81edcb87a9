import { describe, expect, test } from "vitest";
import { alignLines } from "@/components/workspace/changes/align";
import { opensAtFirst, toChangeRows } from "@/components/workspace/changes/change-rows";
import { toChangeTree } from "@/components/workspace/changes/change-tree";
import { toFileBody } from "@/components/workspace/changes/file-rows";
import { isGenerated } from "@/components/workspace/changes/generated";
import { parsePatch } from "@/components/workspace/changes/patch";
import { markWords } from "@/components/workspace/changes/words";
import type { DiffFile } from "@/lib/sandbox/contract";

const patchOf = (...lines: string[]) =>
  `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@ place\n${lines.join("\n")}\n`;
const file = (path: string, more: Partial<DiffFile> = {}): DiffFile => ({
  path,
  status: "modified",
  additions: 1,
  deletions: 1,
  patch: patchOf("-a", "+b"),
  ...more,
});
const split = (ignore: boolean, ...lines: string[]) =>
  alignLines(parsePatch(patchOf(...lines))[0]?.lines ?? [], ignore).map(
    ({ left, right, kind }) => `${left?.text ?? "∅"} | ${right?.text ?? "∅"} ${kind}`,
  );

describe("a patch", () => {
  test("is read with the numbers of both sides; what is no line is left out", () => {
    const [hunk, second] = parsePatch(
      "diff --git a/x b/x\n@@ -3,3 +3,3 @@ function f() {\n a\n-b\r\n+c\n\\ No newline at end of file\n@@ -20 +20,0 @@\n--- dashes\n",
    );
    expect(hunk?.place).toBe("function f() {");
    expect(hunk?.lines.map(({ kind, text, before, after }) => [kind, text, before, after])).toEqual([
      ["context", "a", 3, 3],
      ["removed", "b", 4, null],
      ["added", "c", null, 4],
    ]);
    expect(second?.lines).toEqual([{ kind: "removed", text: "-- dashes", before: 20, after: null }]);
    expect(parsePatch("")).toEqual([]);
  });
});

describe("side by side", () => {
  test("an edited line stands beside what it became, though lines came before it", () => {
    expect(split(false, " top", "-const a = one();", "+// new", "+import x;", "+const a = two();", " end")).toEqual([
      "top | top same",
      "∅ | // new other",
      "∅ | import x; other",
      "const a = one(); | const a = two(); edited",
      "end | end same",
    ]);
  });

  test("lines that have nothing in common share rows, and none is lost", () => {
    expect(split(false, "-alpha", "-beta", "+gamma")).toEqual(["alpha | gamma other", "beta | ∅ other"]);
    const removed = Array.from({ length: 60 }, (_, index) => `-old ${index}`);
    const added = Array.from({ length: 70 }, (_, index) => `+new ${index}`);
    const rows = split(false, ...removed, ...added);
    expect(rows).toHaveLength(70);
    expect(rows[69]).toBe("∅ | new 69 other");
  });

  test("whitespace off, lines that differ in nothing else are the same", () => {
    expect(split(true, "-if (a) {", "-  b();", "-gone", "+if (a)  {", "+\tb();", "+c()")).toEqual([
      "if (a) { | if (a)  { same",
      "  b(); | \tb(); same",
      "gone | c() other",
    ]);
  });
});

describe("words", () => {
  test("that changed are marked on both sides, and nothing is when little stayed", () => {
    const marks = markWords("return add(a, b);", "return add(a, c);");
    expect(marks?.left.filter((span) => span.changed).map((span) => span.text)).toEqual(["b"]);
    expect(marks?.right.filter((span) => span.changed).map((span) => span.text)).toEqual(["c"]);
    expect(marks?.right.map((span) => span.text).join("")).toBe("return add(a, c);");
    expect(markWords("alpha beta", "completely different words")).toBeNull();
    expect(markWords("x".repeat(2_000), "y")).toBeNull();
  });
});

describe("the body of a file", () => {
  test("unified has what is gone before what is new, each with its partner", () => {
    const { rows } = toFileBody(file("x", { patch: patchOf("-a one", "-b one", "+a two", "+b two") }), {
      split: false,
      ignoreWhitespace: false,
    });
    const seen = rows.map((row) => (row.type === "line" ? [row.line.text, row.partner] : row.type));
    expect(seen).toEqual(["place", ["a one", "a two"], ["b one", "b two"], ["a two", "a one"], ["b two", "b one"]]);
  });

  test("counts and says so when only whitespace changed", () => {
    const changed = file("x", { patch: patchOf("-a b", "+a  b") });
    const options = { split: true, ignoreWhitespace: true };
    expect(toFileBody(changed, options)).toEqual({
      additions: 0,
      deletions: 0,
      rows: [{ type: "note", text: "Only whitespace changed." }],
    });
    expect(toFileBody(changed, { ...options, ignoreWhitespace: false })).toMatchObject({ additions: 1, deletions: 1 });
  });

  test.each([
    [{ binary: true }, /binary/],
    [{ truncated: true }, /too large/i],
    [{ status: "renamed" }, /Renamed/],
    [{ status: "added", additions: 0, deletions: 0 }, /empty/i],
    [{ additions: 0, deletions: 0 }, /only how/],
  ] as const)("without lines says why: %j", (more, words) => {
    const { rows } = toFileBody(file("x", { ...more, patch: "" }), { split: false, ignoreWhitespace: true });
    expect(rows).toHaveLength(1);
    expect(rows[0]?.type === "note" && rows[0].text).toMatch(words);
  });
});

describe("the tree", () => {
  test("has folders first, joins those that hold only one another, and keeps its order", () => {
    const files = ["src/ui/deep/b.ts", "a.ts", "src/ui/deep/a.ts", "lib/x.ts", "lib/y/z.ts"].map((path) => file(path));
    const rows = (list: DiffFile[]) =>
      toChangeRows(
        toChangeTree(list),
        (path) => !path.endsWith(".ts"),
        (one) => toFileBody(one, { split: false, ignoreWhitespace: false }),
      ).map((row) => `${" ".repeat(row.depth)}${row.type === "body" ? "" : row.label}`);
    const expected = ["lib", " y", "  z.ts", " x.ts", "src/ui/deep", " a.ts", " b.ts", "a.ts"];
    expect(rows(files)).toEqual(expected);
    expect(rows([...files].reverse())).toEqual(expected);
  });

  test("opens small files of few, and folds generated ones", () => {
    expect(opensAtFirst(file("a.ts"), 3)).toBe(true);
    expect(opensAtFirst(file("a.ts"), 30)).toBe(false);
    expect(opensAtFirst(file("a.ts", { additions: 900 }), 1)).toBe(false);
    for (const path of [
      "package-lock.json",
      "web/yarn.lock",
      "dist/app.js",
      "x/app.min.js",
      "a/style.css.map",
      "Cargo.lock",
    ])
      expect(isGenerated(path), path).toBe(true);
    for (const path of ["src/lock.ts", "distance/a.ts", "package.json", "admin.js"])
      expect(isGenerated(path), path).toBe(false);
  });

  test("of 300 files and 5,000 changed lines is made in well under a frame's patience", () => {
    const hunk = Array.from({ length: 8 }, (_, n) => [
      `-const value${n} = old(${n});`,
      `+const value${n} = fresh(${n});`,
    ]).flat();
    const files = Array.from({ length: 300 }, (_, n) =>
      file(`pkg-${n % 20}/file-${n}.ts`, { patch: patchOf(...hunk, " same") }),
    );
    const huge = file("huge.ts", {
      patch: patchOf(
        ...Array.from({ length: 2_500 }, (_, n) => `-line ${n} was this`),
        ...Array.from({ length: 2_500 }, (_, n) => `+line ${n} is that`),
      ),
    });
    const startedAt = performance.now();
    for (const ignoreWhitespace of [false, true]) {
      const rows = toChangeRows(
        toChangeTree([...files, huge]),
        () => true,
        (one) => toFileBody(one, { split: true, ignoreWhitespace }),
      );
      expect(rows.length).toBeGreaterThan(5_000);
    }
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });
});
