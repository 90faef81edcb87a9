import { expect, it } from "vitest";
import { toPatchLines } from "@/components/workspace/patch-lines";

it("numbers the lines of each hunk and leaves the headers out", () => {
  const patch = [
    "diff --git a/x b/x",
    "--- a/x",
    "+++ b/x",
    "@@ -1,3 +1,3 @@ function a",
    " one",
    "-two",
    "+zwei",
    " three",
    "@@ -10 +10 @@",
    "--- a line that looks like a header",
    "\\ No newline at end of file",
    "",
  ].join("\n");
  expect(toPatchLines(patch).map((line) => [line.kind, line.lineNumber])).toEqual([
    ["hunk", null],
    ["context", 1],
    ["removed", 2],
    ["added", 2],
    ["context", 3],
    ["hunk", null],
    ["removed", 10],
    ["context", null],
  ]);
  expect(toPatchLines("")).toEqual([]);
});
