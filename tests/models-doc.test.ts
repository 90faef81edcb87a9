import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { MODEL_FAILURE_CLASSES, MODEL_FAILURES } from "@/lib/model/failure-list";

const root = path.resolve(import.meta.dirname, "..");
const page = readFileSync(path.join(root, "docs/models.md"), "utf8");
const tests = [
  "lib/chat/models.db.test.ts",
  "lib/chat/condense.db.test.ts",
  "lib/chat/limits.db.test.ts",
  "lib/agent/wire.test.ts",
  "lib/model/failure.test.ts",
  "lib/model/provider-service.db.test.ts",
].map((file) => readFileSync(path.join(root, file), "utf8"));

const rows = (page.split("## Failures\n")[1]?.split("\n## ")[0] ?? "")
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll("`", "")),
  );

test("docs/models.md lists exactly the failures of the code, with their words and whether they are tried again", () => {
  expect(rows.map(([name]) => name)).toEqual([...MODEL_FAILURE_CLASSES]);
  for (const [name, , again, words] of rows) {
    const { message, advice, retryable } = MODEL_FAILURES[name as keyof typeof MODEL_FAILURES];
    expect(again, name).toBe(retryable ? "yes" : "no");
    expect(words, name).toBe([message, advice].filter((part) => part !== "").join(" "));
  }
});

test("every failure of the table names a test that exists", () => {
  for (const [name, , , , title] of rows) {
    expect(title, name).toBeTruthy();
    // A parametrised test has its name in its table, the class in place of %s.
    const written = title?.startsWith(`${name} `) ? title.replace(`${name} `, "%s ") : title;
    expect(
      tests.some((source) => source.includes(`"${written}"`)),
      `${name}: no test is called “${title}”`,
    ).toBe(true);
  }
});
