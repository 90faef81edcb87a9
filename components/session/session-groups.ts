import { repoLabel } from "@/components/lib/format";
import type { SessionView } from "@/lib/session/contract";

/** Sessions of one repository. */
export interface SessionGroup {
  /** The address of the repository; empty for sessions without one. */
  readonly url: string;
  readonly label: string;
  readonly sessions: readonly SessionView[];
}

/**
 * Puts the sessions of a repository together. Groups and sessions keep the order of the list: newest activity first. Two
 * repositories with the same name are told apart by their whole address.
 */
export function groupByRepository(sessions: readonly SessionView[]): SessionGroup[] {
  const groups = new Map<string, SessionView[]>();
  for (const session of sessions) {
    const url = session.repo?.url ?? "";
    const group = groups.get(url);
    if (group) group.push(session);
    else groups.set(url, [session]);
  }
  const labels = [...groups.keys()].map(groupLabel);
  return [...groups].map(([url, members], index) => {
    const label = labels[index] ?? url;
    return { url, label: labels.filter((other) => other === label).length > 1 ? url : label, sessions: members };
  });
}

function groupLabel(url: string): string {
  return url === "" ? "No repository" : repoLabel(url);
}
