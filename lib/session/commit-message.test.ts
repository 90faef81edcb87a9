import { expect, test } from "vitest";
import { cleanCommitMessage, describeDiff } from "./commit-message";

test.each([
  ["Fix the date test", "Fix the date test"],
  ['"Fix the date test"', "Fix the date test"],
  ["```\nFix the date test\n\nIt used local time.\n```", "Fix the date test\n\nIt used local time."],
  ["```text\nFix it\n```", "Fix it"],
  ["  ", ""],
])("%j becomes %j", (said, message) => {
  expect(cleanCommitMessage(said)).toBe(message);
});

test("a diff names every file, and is cut to what a small model takes", () => {
  const file = (path: string, patch: string) => ({
    path,
    status: "modified" as const,
    additions: 1,
    deletions: 2,
    patch,
  });
  const text = describeDiff({ files: [file("a.ts", "+x"), file("b.ts", "+y".repeat(50_000)), file("c.ts", "+z")] });
  for (const words of ["modified a.ts +1 -2", "modified b.ts", "modified c.ts", "+x", "[cut]"])
    expect(text).toContain(words);
  expect(text.length).toBeLessThan(25_000);
});
