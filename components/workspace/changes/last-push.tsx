import { RelativeTime } from "@/components/ui/relative-time";
import type { GitView } from "@/lib/sandbox/contract";

/** What a commit of this page did; `place` is where it was pushed to. */
export interface Said {
  readonly sha: string;
  readonly branch: string;
  readonly place: string | null;
  readonly committed: boolean;
}

/** What was committed just now, else what was pushed where, else where the branch stands. */
export function LastPush({ said, git }: { said: Said | null; git: GitView | undefined }) {
  if (said) {
    const acts = [said.committed && "committed", said.place !== null && "pushed"].filter(Boolean).join(" and ");
    return (
      <>
        {acts.charAt(0).toUpperCase() + acts.slice(1)} <Sha of={said.sha} /> on {said.branch}
        {said.place === null ? "." : ` to ${said.place}.`}
      </>
    );
  }
  if (!git) return null;
  if (git.pushed)
    return (
      <>
        Pushed <Sha of={git.pushed.sha} /> on {git.pushed.branch} to {git.remote}{" "}
        <RelativeTime iso={git.pushed.at} suffix=" ago" />
        {git.unpushed > 0 && `; ${git.unpushed} more to push`}
      </>
    );
  if (git.unpushed > 0 && git.remote)
    return <>{git.unpushed === 1 ? "1 commit" : `${git.unpushed} commits`} not pushed.</>;
  return git.branch ? <>On {git.branch}.</> : null;
}

function Sha({ of }: { of: string }) {
  return <span className="font-mono">{of.slice(0, 8)}</span>;
}
