import type { SessionView } from "@/lib/session/contract";

/** A repository that the person has worked on, with the branches that are known of it. */
export interface RecentRepo {
  readonly url: string;
  readonly branches: readonly string[];
}

const MOST = 8;

/** The repositories of these sessions in their order, and the branches on which the work began or went. */
export function recentRepos(sessions: readonly SessionView[]): RecentRepo[] {
  const found = new Map<string, Set<string>>();
  for (const { repo } of sessions) {
    if (!repo) continue;
    const branches = found.get(repo.url) ?? new Set();
    for (const branch of [repo.baseBranch, repo.branch]) if (branch) branches.add(branch);
    found.set(repo.url, branches);
  }
  return [...found].slice(0, MOST).map(([url, branches]) => ({ url, branches: [...branches].slice(0, MOST) }));
}
