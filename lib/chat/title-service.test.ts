import { expect, test } from "vitest";
import { cleanTitle } from "./title-service";

test.each([
  ["Fix the date test", "Fix the date test"],
  ['"Fix the date test."', "Fix the date test"],
  ["Title: **Fix the date test**\n\nBecause…", "Fix the date test"],
  ["„Datumstest reparieren“", "Datumstest reparieren"],
  ["   ", null],
  ['""', null],
])("%j becomes %j", (said, title) => {
  expect(cleanTitle(said)).toBe(title);
});

test("a title is never longer than 80 characters", () => {
  expect(cleanTitle("word ".repeat(50))?.length).toBeLessThanOrEqual(80);
});
