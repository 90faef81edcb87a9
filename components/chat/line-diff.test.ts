import { expect, it } from "vitest";
import { countChanges, diffLines } from "@/components/chat/line-diff";

const shown = (before: string, after: string, first = 1) =>
  diffLines(before, after, first).map(
    ({ kind, text, lineNumber }) => `${{ added: "+", removed: "-", context: " " }[kind]}${lineNumber} ${text}`,
  );

it("shows what changed, with its place in the file", () => {
  expect(shown("a\nb\nc", "a\nx\nc", 10)).toEqual([" 10 a", "-11 b", "+11 x", " 12 c"]);
  expect(shown("one", "one\ntwo")).toEqual([" 1 one", "+2 two"]);
  expect(shown("gone\n", "")).toEqual(["-1 gone"]);
});

it("takes a new file as nothing but additions", () => {
  const lines = diffLines("", "a\nb\n");
  expect(countChanges(lines)).toEqual({ added: 2, removed: 0 });
  expect(diffLines("", "")).toEqual([]);
});

it("keeps lines that stayed between two changes", () => {
  expect(shown("a\nkeep\nb", "x\nkeep\ny")).toEqual(["-1 a", "+1 x", " 2 keep", "-3 b", "+3 y"]);
});

it("shows only a few of the lines around, and stays quick for texts that have nothing in common", () => {
  const many = (word: string) => Array.from({ length: 2_000 }, (_, index) => `${word} ${index}`).join("\n");
  expect(shown(`1\n2\n3\n4\n5\nold`, `1\n2\n3\n4\n5\nnew`)).toEqual([" 3 3", " 4 4", " 5 5", "-6 old", "+6 new"]);
  expect(countChanges(diffLines(many("a"), many("b")))).toEqual({ added: 2_000, removed: 2_000 });
});
