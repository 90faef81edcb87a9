import { expect, test } from "vitest";
import { proposeMessage } from "./commit-message";

const file = (path: string, status: "added" | "modified" | "deleted" | "renamed" = "modified", oldPath?: string) => ({
  path,
  status,
  ...(oldPath ? { oldPath } : {}),
});

test.each([
  [[], ""],
  [[file("notes.md", "added")], "Add notes.md"],
  [[file("b.ts", "renamed", "a.ts")], "Rename a.ts to b.ts"],
  [[file("a.ts", "deleted"), file("b.ts", "deleted")], "Remove a.ts and b.ts"],
  [[file("a.ts"), file("b.ts", "added"), file("c.ts")], "Change a.ts, b.ts and c.ts"],
] as const)("few files are named: %j", (files, message) => {
  expect(proposeMessage(files)).toBe(message);
});

test("many files are counted, with their folder, and listed below", () => {
  const files = Array.from({ length: 25 }, (_, index) => file(`src/ui/part-${index}.ts`, "added"));
  const lines = proposeMessage(files).split("\n");
  expect(lines[0]).toBe("Add 25 files in src/ui");
  expect(lines.slice(1, 3)).toEqual(["", "- add src/ui/part-0.ts"]);
  expect(lines.at(-1)).toBe("- and 5 more");
});

test("the subject stays one line of at most 72 characters, whatever a file is called", () => {
  const odd = [`${"very-long-folder/".repeat(9)}${"x".repeat(200)}.ts`, "a\nb\u0007.txt", "deep/".repeat(30)];
  for (const path of odd) {
    for (const files of [[file(path)], [file(path), file(`${path}2`)], [1, 2, 3, 4].map((n) => file(`${path}/${n}`))]) {
      const [subject = "", second = ""] = proposeMessage(files).split("\n");
      expect(subject.length).toBeLessThanOrEqual(72);
      expect(second).toBe("");
    }
  }
});
