import { expect, it } from "vitest";
import { groupByRepository } from "@/components/session/session-groups";
import type { SessionView } from "@/lib/session/contract";

const session = (id: string, url: string | null) =>
  ({ id, repo: url ? { url, branch: null, baseBranch: null } : null }) as SessionView;

it("puts sessions of a repository together and keeps the order", () => {
  const groups = groupByRepository([
    session("1", "https://github.com/a/b"),
    session("2", null),
    session("3", "https://github.com/a/b.git"),
    session("4", "https://github.com/a/b"),
  ]);
  expect(groups.map((group) => group.sessions.map((entry) => entry.id))).toEqual([["1", "4"], ["2"], ["3"]]);
  expect(groups[1]?.label).toBe("No repository");
});

it("tells repositories of the same name apart by their address", () => {
  const groups = groupByRepository([session("1", "https://github.com/a/b"), session("2", "https://gitlab.com/a/b")]);
  expect(groups.map((group) => group.label)).toEqual(["https://github.com/a/b", "https://gitlab.com/a/b"]);
});

it("has no group for nothing", () => {
  expect(groupByRepository([])).toEqual([]);
});
