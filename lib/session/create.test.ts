import { expect, test } from "vitest";
import { isBranchName } from "./create";

test("branch names are taken and refused as git does", () => {
  for (const good of ["main", "feature/x", "ow/1a2b3c4d", "a.b", "über", "fix-#12"])
    expect(isBranchName(good), good).toBe(true);
  for (const bad of [
    "",
    "-x",
    "a..b",
    "a b",
    "a~1",
    "x.lock",
    "a/.b",
    "/a",
    "a/",
    "a//b",
    "@",
    "HEAD",
    "a@{1}",
    "a\\b",
    "a:b",
    "x.",
    "a\u0007",
  ])
    expect(isBranchName(bad), bad).toBe(false);
});
