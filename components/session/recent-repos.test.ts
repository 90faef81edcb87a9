import { expect, it } from "vitest";
import { recentRepos } from "@/components/session/recent-repos";
import type { SessionView } from "@/lib/session/contract";

const on = (url: string | null, branch: string | null = null, baseBranch: string | null = null) =>
  ({ repo: url ? { url, branch, baseBranch } : null }) as SessionView;

it("names each repository once, newest first, with its branches", () => {
  expect(recentRepos([on("/b", "ow/1", "main"), on(null), on("/a"), on("/b", "ow/2", "main")])).toEqual([
    { url: "/b", branches: ["main", "ow/1", "ow/2"] },
    { url: "/a", branches: [] },
  ]);
});

it("keeps the list short", () => {
  expect(recentRepos(Array.from({ length: 30 }, (_, at) => on(`/${at}`)))).toHaveLength(8);
});
