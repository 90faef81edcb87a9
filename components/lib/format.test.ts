import { expect, it } from "vitest";
import { firstLine, formatBytes, formatDistance, formatDuration, repoLabel } from "@/components/lib/format";

it("words durations, distances and sizes in their largest fitting unit", () => {
  expect([400, 12_000, 60_000, 185_000, 7_800_000].map(formatDuration)).toEqual([
    "0 s",
    "12 s",
    "1 min",
    "3 min 5 s",
    "2 h 10 min",
  ]);
  expect([5_000, 300_000, 10_800_000, 1_000_000_000].map(formatDistance)).toEqual(["now", "5 min", "3 h", "11 d"]);
  expect([0, 999, 1_000, 9_960, 12_345_678].map(formatBytes)).toEqual(["0 B", "999 B", "1.0 kB", "10 kB", "12 MB"]);
});

it("names a repository by its last two folders", () => {
  expect(repoLabel("https://github.com/acme/web.git")).toBe("acme/web");
  expect(repoLabel("/home/me/code/web")).toBe("code/web");
  expect(repoLabel("file:///srv/git/web.git")).toBe("git/web");
});

it("cuts a text to its first line", () => {
  expect(firstLine("\n a\nb")).toBe("a");
  expect(firstLine("abcdef", 4)).toBe("abc…");
});
