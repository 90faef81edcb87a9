import { createHash } from "node:crypto";
import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { KeptWork } from "@/lib/db/schema/sandboxes";
import type { Deps } from "@/lib/deps";
import { SandboxError } from "./errors";
import { providerId, type SandboxRow } from "./store";
import { runScript } from "./workspace";

const CHUNK_BYTES = 8 * 1024 * 1024;
const BUNDLE = "/home/user/.dormouse/work.bundle";
const BUNDLE_TIMEOUT_MS = 8 * 60_000;

/**
 * The whole repository with one more commit on the side, which holds the files as they lie there, untracked ones included.
 * Ignored files are not work.
 */
const KEEP_SCRIPT = `
set -eu
mkdir -p "$(dirname "$1")"
index=$(mktemp)
trap 'rm -f "$index"' EXIT
cp -f "$(git rev-parse --git-path index)" "$index" 2>/dev/null || rm -f "$index"
tree=$(GIT_INDEX_FILE=$index sh -c 'git add --all . && git write-tree')
if git rev-parse -q --verify HEAD >/dev/null; then parent="-p HEAD"; else parent=""; fi
work=$(git commit-tree $parent -m "Kept work" "$tree")
git update-ref refs/dormouse/work "$work"
git bundle create --quiet "$1" --all
git rev-parse "$work"`;

const RESTORE_SCRIPT = `
set -eu
[ -d .git ] || git init --quiet
git fetch --quiet --update-head-ok --force "$1" '+refs/heads/*:refs/heads/*' '+refs/tags/*:refs/tags/*' '+refs/remotes/*:refs/remotes/*' '+refs/dormouse/*:refs/dormouse/*'
if [ -n "$2" ]; then git remote remove origin 2>/dev/null || true; git remote add origin "$2"; git fetch --quiet "$1" '+refs/remotes/*:refs/remotes/*' 2>/dev/null || true; fi
if [ -n "$3" ] && git rev-parse -q --verify "refs/heads/$3" >/dev/null; then git symbolic-ref HEAD "refs/heads/$3"; else git update-ref --no-deref HEAD "$4^"; fi
git read-tree --reset -u refs/dormouse/work
git reset --quiet
rm -f "$1"`;

function keptFolder(deps: Deps): string {
  return path.join(deps.env.dataDir, "kept");
}

/**
 * Takes the work out of a running sandbox into one file of the data directory: commits of all branches and uncommitted and
 * untracked files. Written aside, synced and renamed, so that a crash leaves either the old file or the whole new one.
 */
export async function keepWork(deps: Deps, row: SandboxRow): Promise<KeptWork> {
  const id = providerId(row);
  const made = await runScript(deps.provider, id, KEEP_SCRIPT, [BUNDLE], { timeoutMs: BUNDLE_TIMEOUT_MS });
  if (made.exitCode !== 0)
    throw new SandboxError("permanent", `git could not pack the work: ${made.stderr.toString().trim().slice(-300)}`, {
      reason: "keep_failed",
    });
  await mkdir(keptFolder(deps), { recursive: true, mode: 0o700 });
  const file = `${id}.bundle`;
  const target = path.join(keptFolder(deps), file);
  const hash = createHash("sha256");
  const out = await open(`${target}.part`, "w", 0o600);
  let sizeBytes = 0;
  try {
    for (;;) {
      const { bytes, sizeBytes: whole } = await deps.provider.readFile(id, BUNDLE, {
        offsetBytes: sizeBytes,
        maxBytes: CHUNK_BYTES,
      });
      await out.write(bytes);
      hash.update(bytes);
      sizeBytes += bytes.length;
      if (bytes.length === 0 || sizeBytes >= whole) break;
    }
    await out.sync();
  } finally {
    await out.close();
  }
  await rename(`${target}.part`, target);
  const branch = await runScript(deps.provider, id, "git symbolic-ref --quiet --short HEAD");
  return {
    file,
    version: row.version,
    sizeBytes,
    sha256: hash.digest("hex"),
    branch: branch.stdout.toString().trim() || null,
    head: made.stdout.toString().trim(),
  };
}

/** Puts kept work into a fresh sandbox: same branch and commits, uncommitted and untracked files as they were. */
export async function restoreWork(deps: Deps, row: SandboxRow, work: KeptWork, remote: string | null): Promise<void> {
  const id = providerId(row);
  const bundle = await readFile(path.join(keptFolder(deps), work.file));
  if (createHash("sha256").update(bundle).digest("hex") !== work.sha256)
    throw new SandboxError("permanent", "the kept work is damaged", { reason: "kept_work_damaged" });
  await deps.provider.writeFile(id, BUNDLE, bundle);
  const made = await runScript(
    deps.provider,
    id,
    RESTORE_SCRIPT,
    [BUNDLE, remote ?? "", work.branch ?? "", work.head],
    { timeoutMs: BUNDLE_TIMEOUT_MS },
  );
  if (made.exitCode !== 0)
    throw new SandboxError(
      "permanent",
      `git could not unpack the kept work: ${made.stderr.toString().trim().slice(-300)}`,
      { reason: "restore_failed" },
    );
}

/** Whether the file of kept work is there with its size. */
export async function hasKeptWork(deps: Deps, work: KeptWork): Promise<boolean> {
  const found = await stat(path.join(keptFolder(deps), work.file)).catch(() => null);
  return found?.size === work.sizeBytes;
}

/** Removes kept work for good. Nothing there is success. */
export async function dropKeptWork(deps: Deps, work: KeptWork): Promise<void> {
  await rm(path.join(keptFolder(deps), work.file), { force: true });
}
