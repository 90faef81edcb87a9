import { randomUUID } from "node:crypto";
import type { DevServer } from "@/lib/db/schema/sandboxes";
import { parseDiff } from "@/lib/git/diff";
import type { DiffView, GitFacts } from "./contract";
import { SandboxError } from "./errors";
import type { ExecResult, FileType, SandboxProvider } from "./provider";

/** Working directory of the tools, root of the repository and of the files API (design.md, section 4). */
export const WORKSPACE = "/workspace";
/** Where exports of the setup script are kept for the agent's commands. */
export const SETUP_ENV = "/home/user/.dormouse/env.sh";

const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const DIFF_CAP_BYTES = 8 * 1024 * 1024;
const LISTING_MAX_ENTRIES = 5_000;
const GIT_TIMEOUT_MS = 60_000;

/** For git in our own scripts: it takes no lock for a look, asks nobody, and starts no file monitor of the repository. */
const OUR_GIT = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "core.fsmonitor",
  GIT_CONFIG_VALUE_0: "false",
} as const;

/** Runs a script of ours with bash; arguments are passed as arguments, never pasted into the text. */
export async function runScript(
  provider: SandboxProvider,
  id: string,
  script: string,
  args: readonly string[] = [],
  more: { timeoutMs?: number; stdin?: Uint8Array | string; outputCapBytes?: number } = {},
): Promise<ExecResult> {
  return provider.exec(id, {
    command: ["/bin/bash", "-c", script, "bash", ...args],
    cwd: WORKSPACE,
    timeoutMs: more.timeoutMs ?? GIT_TIMEOUT_MS,
    env: OUR_GIT,
    ...(more.stdin === undefined ? {} : { stdin: more.stdin }),
    ...(more.outputCapBytes === undefined ? {} : { outputCapBytes: more.outputCapBytes }),
  });
}

/**
 * The difference between `base` and the files as they lie there, new files included: names of untracked files, then `--raw
 * --numstat -z`, then the patch, apart by a mark that no repository can guess. Works on a copy of the index, so that nothing of
 * the person's or the agent's state changes.
 */
const DIFF_SCRIPT = `
set -u
base=$1; mark=$2
git rev-parse -q --verify "$base^{object}" >/dev/null || base=${EMPTY_TREE}
index=$(mktemp) || exit 3
trap 'rm -f "$index"' EXIT
cp -f "$(git rev-parse --git-path index)" "$index" 2>/dev/null || rm -f "$index"
git ls-files --others --exclude-standard -z
printf '%s' "$mark"
export GIT_INDEX_FILE=$index
git add --intent-to-add --all . >/dev/null 2>&1
diff=(git -c core.quotePath=false diff --no-color --no-ext-diff --no-textconv --src-prefix=a/ --dst-prefix=b/ --find-renames)
"\${diff[@]}" --raw --numstat -z "$base" -- || exit 4
printf '%s' "$mark"
"\${diff[@]}" --patch "$base" --`;

export async function readDiff(
  provider: SandboxProvider,
  id: string,
  base: string | null,
  scope: "all" | "uncommitted",
): Promise<DiffView> {
  const from = scope === "uncommitted" ? "HEAD" : (base ?? EMPTY_TREE);
  const mark = `\u0001${randomUUID()}\u0001`;
  const made = await runScript(provider, id, DIFF_SCRIPT, [from, mark], { outputCapBytes: DIFF_CAP_BYTES });
  const [names, stat, patch] = made.stdout.toString().split(mark);
  // `exec` keeps the first bytes: of too large an output the patch is what is missing.
  const whole = made.droppedBytes === 0;
  if (names === undefined || stat === undefined || (whole && made.exitCode !== 0)) {
    throw new SandboxError("permanent", "git could not compare the files", { reason: "git_failed" });
  }
  return {
    base: scope === "all" ? base : null,
    files: parseDiff(stat, whole ? (patch ?? "") : "", new Set(names.split("\0").filter(Boolean))),
    takenAt: new Date().toISOString(),
    kept: false,
  };
}

export interface ListedEntry {
  readonly path: string;
  readonly type: FileType;
  readonly sizeBytes: number;
}

/** Everything in the workspace except the insides of `.git` and `node_modules`, at most 5,000 entries, by path. */
export async function readListing(provider: SandboxProvider, id: string): Promise<ListedEntry[]> {
  const script = `find . -mindepth 1 \\( -name .git -o -name node_modules \\) -prune -printf '%P\\0%y\\0%s\\0' -o -mindepth 1 -printf '%P\\0%y\\0%s\\0' 2>/dev/null | head -c 2000000`;
  const found = await runScript(provider, id, script, [], { outputCapBytes: 2_000_000 });
  const fields = found.stdout.toString().split("\0");
  const entries: ListedEntry[] = [];
  for (let at = 0; at + 2 < fields.length && entries.length < LISTING_MAX_ENTRIES; at += 3) {
    entries.push({
      path: fields[at] ?? "",
      type: FIND_TYPES[fields[at + 1] ?? ""] ?? "other",
      sizeBytes: Number(fields[at + 2]),
    });
  }
  return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
}

const FIND_TYPES: Readonly<Record<string, FileType>> = { f: "file", d: "directory", l: "symlink" };

/** The branch that is checked out, or null when none is. */
export async function readBranch(provider: SandboxProvider, id: string): Promise<string | null> {
  const found = await runScript(provider, id, "git symbolic-ref --quiet --short HEAD");
  const branch = found.stdout.toString().trim();
  return found.exitCode === 0 && branch !== "" ? branch : null;
}

/** Servers that listen now, as they can be started again. */
export async function readDevServers(provider: SandboxProvider, id: string): Promise<DevServer[]> {
  const ports = await provider.listeningPorts(id);
  return ports
    .filter((listening) => listening.command.length > 0)
    .map(({ command, cwd, port }) => ({ command: [...command], cwd, port }))
    .slice(0, 20);
}

/** Starts recorded servers again, each once, under an id that names the boot. What cannot start is left out. */
export async function restartDevServers(
  provider: SandboxProvider,
  id: string,
  servers: readonly DevServer[],
  bootId: string,
): Promise<void> {
  const seen = new Set<string>();
  for (const server of servers) {
    const key = JSON.stringify([server.command, server.cwd]);
    if (seen.has(key)) continue;
    seen.add(key);
    await provider
      .spawn(id, {
        commandId: `dev-${server.port}-${bootId}`.slice(0, 80),
        command: [
          "/bin/bash",
          "-c",
          `[ -f ${SETUP_ENV} ] && . ${SETUP_ENV} >/dev/null 2>&1; exec "$@"`,
          "bash",
          ...server.command,
        ],
        cwd: server.cwd,
        background: true,
      })
      .catch(() => {});
  }
}

export interface CommitOutcome {
  readonly kind: "committed" | "nothing" | "refused";
  readonly sha: string;
  /** What git and the hooks said. */
  readonly output: string;
}

/** Commits everything that changed; the repository's hooks run and may refuse. */
export async function commitAll(provider: SandboxProvider, id: string, message: string): Promise<CommitOutcome> {
  const script = `[ -f ${SETUP_ENV} ] && . ${SETUP_ENV} >/dev/null 2>&1
git add --all . || exit 4
git diff --cached --quiet && exit 3
git commit --quiet --file=- 1>&2 || exit 4
exit 0`;
  const made = await runScript(provider, id, script, [], {
    stdin: message,
    timeoutMs: 10 * 60_000,
    outputCapBytes: 100_000,
  });
  const sha = (await runScript(provider, id, "git rev-parse HEAD")).stdout.toString().trim();
  const output = `${made.stdout.toString()}${made.stderr.toString()}`.trim();
  if (made.exitCode === 3) return { kind: "nothing", sha, output };
  return { kind: made.exitCode === 0 ? "committed" : "refused", sha, output };
}

/** Pushes the branch to `origin`, which the git gateway serves. Answers what git said when it was refused. */
export async function pushBranch(
  provider: SandboxProvider,
  id: string,
  branch: string,
): Promise<{ readonly pushed: boolean; readonly output: string }> {
  const script = `git push --set-upstream origin "HEAD:refs/heads/$1" 2>&1`;
  const made = await runScript(provider, id, script, [branch], { timeoutMs: 10 * 60_000, outputCapBytes: 100_000 });
  return { pushed: made.exitCode === 0, output: made.stdout.toString().trim() };
}

/** Commits that `origin` does not have. */
export async function countUnpushed(provider: SandboxProvider, id: string): Promise<number> {
  const found = await runScript(provider, id, "git rev-list --count HEAD --not --remotes=origin");
  return found.exitCode === 0 ? Number(found.stdout.toString().trim()) : 0;
}

/**
 * Branch, commit, number of commits that `origin` lacks, and the last push: git notes in the log of the remote branch
 * how it came to where it is. One field a line.
 */
const GIT_FACTS_SCRIPT = `
branch=$(git symbolic-ref --quiet --short HEAD)
printf '%s\n' "$branch"
git rev-parse -q --verify HEAD || echo
git rev-list --count HEAD --not --remotes=origin 2>/dev/null || echo 0
git log --walk-reflogs --max-count=1 --date=unix --format='%H%n%gd%n%gs' "refs/remotes/origin/$branch" -- 2>/dev/null`;

export async function readGitFacts(provider: SandboxProvider, id: string): Promise<GitFacts> {
  const found = await runScript(provider, id, GIT_FACTS_SCRIPT);
  const [branch = "", head = "", unpushed = "", sha = "", entry = "", how = ""] = found.stdout.toString().split("\n");
  const at = /@\{(\d{1,12})\}$/.exec(entry)?.[1];
  return {
    branch: branch || null,
    head: head || null,
    unpushed: Number.parseInt(unpushed, 10) || 0,
    pushed: how === "update by push" && at ? { sha, branch, at: new Date(Number(at) * 1_000).toISOString() } : null,
  };
}
