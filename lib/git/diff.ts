import type { DiffFile } from "@/lib/sandbox/contract";

/** Longest patch of one file that is passed on, in characters; the rest is told by its counts. */
const MAX_PATCH_CHARS = 400_000;

const STATUS: Readonly<Record<string, DiffFile["status"]>> = {
  A: "added",
  M: "modified",
  T: "modified",
  D: "deleted",
  R: "renamed",
  C: "added",
};

/**
 * Puts together the output of `git diff --raw --numstat -z` and of `git diff --patch` for the same trees. Pure.
 * `untracked` names the files that git does not know yet. Both outputs list the files in the same order.
 */
export function parseDiff(rawAndNumstat: string, patch: string, untracked: ReadonlySet<string>): DiffFile[] {
  const fields = rawAndNumstat.split("\0");
  const heads: { status: DiffFile["status"]; path: string; oldPath?: string }[] = [];
  const counts = new Map<string, { additions: number; deletions: number; binary: boolean }>();
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at] ?? "";
    if (field.startsWith(":")) {
      const letter = field.split(" ").at(-1)?.charAt(0) ?? "M";
      const first = fields[++at] ?? "";
      const renamed = letter === "R" || letter === "C";
      const second = renamed ? (fields[++at] ?? "") : "";
      heads.push({
        status: STATUS[letter] ?? "modified",
        path: renamed ? second : first,
        ...(renamed ? { oldPath: first } : {}),
      });
      continue;
    }
    const match = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(field);
    if (!match) continue;
    let path = match[3] ?? "";
    if (path === "") {
      // A rename: old and new name follow as fields of their own.
      at += 2;
      path = fields[at] ?? "";
    }
    const binary = match[1] === "-";
    counts.set(path, { additions: binary ? 0 : Number(match[1]), deletions: binary ? 0 : Number(match[2]), binary });
  }
  const patches = splitPatch(patch);
  return heads.map((head, index) => {
    const count = counts.get(head.path) ?? { additions: 0, deletions: 0, binary: false };
    const text = patches[index] ?? "";
    const tooLong =
      text.length > MAX_PATCH_CHARS || (text === "" && !count.binary && count.additions + count.deletions > 0);
    return {
      ...head,
      ...(untracked.has(head.path) ? { untracked: true } : {}),
      additions: count.additions,
      deletions: count.deletions,
      patch: tooLong || count.binary ? "" : text,
      ...(count.binary ? { binary: true } : {}),
      ...(tooLong ? { truncated: true } : {}),
    };
  });
}

function splitPatch(patch: string): string[] {
  return patch.split(/^(?=diff --git )/m).filter((part) => part.startsWith("diff --git "));
}
