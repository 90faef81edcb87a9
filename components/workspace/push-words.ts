interface Refusal {
  readonly pattern: RegExp;
  readonly words: string;
}

/** What the other side says when it refuses, from the surest sign to the vaguest; git's own words are shown beside them. */
const REFUSALS: readonly Refusal[] = [
  {
    pattern: /non-fast-forward|fetch first|tip of your current branch is behind/i,
    words:
      "The branch has commits there that this sandbox does not have. Ask the agent to pull them in, then push again.",
  },
  {
    pattern: /refusing to update checked out branch|branch is currently checked out/i,
    words: "The branch is checked out in that repository. Switch it to another branch there, or work on a new branch.",
  },
  {
    pattern: /protected branch|GH006|not allowed to push|pre-receive hook declined/i,
    words: "The rules of that repository forbid it. Work on a new branch and ask for a merge there.",
  },
  {
    pattern: /secret|GH013|push protection/i,
    words: "That host found a secret in a commit. Ask the agent to take it out of the history, then push again.",
  },
  {
    pattern: /authentication|could not read username|permission.*denied|error: 40[13]|HTTP 40[13]/i,
    words: "That host wants a token that may write. Set it in DORMOUSE_GIT_TOKENS and start Dormouse again.",
  },
  {
    pattern: /not found|does not exist|error: 404/i,
    words: "That host knows no such repository, or hides it from this token.",
  },
  {
    pattern: /could not resolve|timed out|connection (?:refused|reset)|unable to access/i,
    words: "That host cannot be reached just now. Try again in a moment.",
  },
  { pattern: /hook declined|pre-push/i, words: "A hook of the repository refused it. Its words are below." },
];

/** What a refused push means and what to do, or null when git's words say it best. Pure. */
export function pushWords(output: string): string | null {
  return REFUSALS.find(({ pattern }) => pattern.test(output))?.words ?? null;
}
