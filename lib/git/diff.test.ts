import { expect, test } from "vitest";
import { parseDiff } from "./diff";

test("changed, new, deleted, renamed and binary files come with their counts and patches", () => {
  const raw = [
    ":100644 100644 aaa bbb M",
    "a b.txt",
    ":000000 100644 000 ccc A",
    "new.txt",
    ":100644 000000 ddd 000 D",
    "gone.txt",
    ":100644 100644 eee fff R090",
    "old.txt",
    "moved.txt",
    ":100644 100644 111 222 M",
    "pic.png",
    "2\t1\ta b.txt",
    "1\t0\tnew.txt",
    "0\t3\tgone.txt",
    "1\t1\t",
    "old.txt",
    "moved.txt",
    "-\t-\tpic.png",
    "",
  ].join("\0");
  const patch = ["a b.txt", "new.txt", "gone.txt", "moved.txt", "pic.png"]
    .map((name) => `diff --git a/${name} b/${name}\n@@ ${name}\n`)
    .join("");
  const files = parseDiff(raw, patch, new Set(["new.txt"]));
  expect(files.map((file) => [file.path, file.status, file.additions, file.deletions])).toEqual([
    ["a b.txt", "modified", 2, 1],
    ["new.txt", "added", 1, 0],
    ["gone.txt", "deleted", 0, 3],
    ["moved.txt", "renamed", 1, 1],
    ["pic.png", "modified", 0, 0],
  ]);
  expect(files[1]).toMatchObject({ untracked: true, patch: expect.stringContaining("@@ new.txt") });
  expect(files[3]).toMatchObject({ oldPath: "old.txt" });
  expect(files[4]).toMatchObject({ binary: true, patch: "" });
});

test("a patch that was cut says so instead of pretending that nothing changed", () => {
  const [file] = parseDiff([":100644 100644 a b M", "x", "5\t0\tx", ""].join("\0"), "", new Set());
  expect(file).toMatchObject({ truncated: true, patch: "", additions: 5 });
});
