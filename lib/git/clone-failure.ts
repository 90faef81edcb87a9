/** Why a repository could not be prepared, as a failed start tells it (api.md, "Calls"). */
export type CloneFailureClass =
  | "egress_denied"
  | "not_found_or_private"
  | "branch_not_found"
  | "unreachable"
  | "timeout"
  | "disk_full"
  | "unknown";

export interface CloneFailure {
  readonly class: CloneFailureClass;
  /** For a person; no path or address of the gateway, no secret. */
  readonly message: string;
  /** Whether the same start can succeed later without anybody changing something. */
  readonly retryable: boolean;
}

/** What the gateway and the egress proxy say starts with the class in brackets (`answerFailure`, `refusalText`). */
const MARKED = /^(?:remote: ?)?\s*\[(egress_denied|not_found_or_private|unreachable|timeout|unknown)\] (.+)$/m;

const RULES: readonly (readonly [RegExp, CloneFailureClass, string | ((match: RegExpExecArray) => string)])[] = [
  [
    /Remote branch (.+) not found|couldn't find remote ref (\S+)/i,
    "branch_not_found",
    (match) => `The branch ${match[1] ?? match[2]} does not exist in this repository.`,
  ],
  [
    /No space left on device|Disk quota exceeded|out of disk space|File too large/i,
    "disk_full",
    "The repository does not fit on the disk of the sandbox.",
  ],
  [
    /CONNECT tunnel failed, response 403|HTTP code 403 from proxy after CONNECT/i,
    "egress_denied",
    "A host that this repository needs is not on the list of hosts that sandboxes may reach. Whoever runs Dormouse can allow it with the setting DORMOUSE_EGRESS_ALLOW.",
  ],
  [
    /repository '.*' (?:not found|does not exist)|Authentication failed|could not read (?:Username|Password)|does not appear to be a git repository|not a git repository/i,
    "not_found_or_private",
    "The repository was not found, or it is private.",
  ],
  [/timed out|Operation too slow|response 504/i, "timeout", "The server of the repository took too long to answer."],
  [
    /Could not resolve|Failed to connect|Connection (?:refused|reset)|early EOF|remote end hung up|RPC failed|returned error: 5\d\d|response 502|Empty reply|SSL|certificate|unable to access/i,
    "unreachable",
    "The server of the repository could not be reached, or it broke off.",
  ],
];

/** Reads what `git clone` or `git fetch` in a sandbox wrote to standard error. Any language but English reads as `unknown`: run git with LC_ALL=C. */
export function classifyCloneFailure(stderr: string): CloneFailure {
  const marked = MARKED.exec(stderr);
  if (marked !== null) return failure(marked[1] as CloneFailureClass, (marked[2] ?? "").trim());
  for (const [pattern, name, message] of RULES) {
    const match = pattern.exec(stderr);
    if (match !== null) return failure(name, typeof message === "string" ? message : message(match));
  }
  const last = stderr.split("\n").findLast((line) => /^(fatal|error): /.test(line));
  return failure(
    "unknown",
    `git failed${last ? `: ${last.replace(/https?:\/\/git\.internal\S*/g, "the repository").slice(0, 300)}` : "."}`,
  );
}

function failure(name: CloneFailureClass, message: string): CloneFailure {
  return { class: name, message, retryable: name === "unreachable" || name === "timeout" || name === "unknown" };
}
