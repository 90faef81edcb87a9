import { alignLines, type Pair } from "@/components/workspace/changes/align";
import { type PatchLine, parsePatch } from "@/components/workspace/changes/patch";
import type { DiffFile } from "@/lib/sandbox/contract";

export interface ViewOptions {
  readonly split: boolean;
  readonly ignoreWhitespace: boolean;
}

/** What stands below the name of an open file. `partner` is what an edited line was, or became. */
export type BodyRow =
  | { readonly type: "place"; readonly text: string }
  | { readonly type: "line"; readonly line: PatchLine; readonly partner: string | null }
  | { readonly type: "pair"; readonly pair: Pair }
  | { readonly type: "note"; readonly text: string };

export interface FileBody {
  readonly additions: number;
  readonly deletions: number;
  readonly rows: readonly BodyRow[];
}

/** The rows of a file and its counts, which are git's own unless whitespace is ignored. Pure. */
export function toFileBody(file: DiffFile, { split, ignoreWhitespace }: ViewOptions): FileBody {
  const rows: BodyRow[] = [];
  const counts = { additions: 0, deletions: 0 };
  for (const hunk of parsePatch(file.patch)) {
    const pairs = alignLines(hunk.lines, ignoreWhitespace);
    const changed = pairs.filter((pair) => pair.kind !== "same");
    if (changed.length === 0) continue;
    counts.additions += changed.filter(({ right }) => right).length;
    counts.deletions += changed.filter(({ left }) => left).length;
    const first = hunk.lines[0];
    const start = first?.after ?? first?.before ?? 1;
    // Above the first line of a file nothing is left out.
    if (hunk.place || start > 1) rows.push({ type: "place", text: hunk.place || `Line ${start}` });
    if (split) for (const pair of pairs) rows.push({ type: "pair", pair });
    else rows.push(...unified(pairs));
  }
  const known = file.patch !== "" && ignoreWhitespace;
  const note = noteFor(file, rows.length, ignoreWhitespace);
  return {
    additions: known ? counts.additions : file.additions,
    deletions: known ? counts.deletions : file.deletions,
    rows: note ? [...rows, { type: "note", text: note }] : rows,
  };
}

/** As git prints it: of each change first what is gone, then what is new. */
function unified(pairs: readonly Pair[]): BodyRow[] {
  const rows: BodyRow[] = [];
  let added: BodyRow[] = [];
  for (const { left, right, kind } of pairs) {
    if (kind === "same") {
      rows.push(...added);
      added = [];
      // With whitespace ignored both sides may differ in it; what stands there now is shown.
      if (right) rows.push({ type: "line", line: { ...right, kind: "context" }, partner: null });
      continue;
    }
    const edited = kind === "edited";
    if (left) rows.push({ type: "line", line: left, partner: edited ? (right?.text ?? null) : null });
    if (right) added.push({ type: "line", line: right, partner: edited ? (left?.text ?? null) : null });
  }
  rows.push(...added);
  return rows;
}

function noteFor(file: DiffFile, rows: number, ignoreWhitespace: boolean): string | null {
  if (file.binary) return "A binary file: its bytes changed.";
  if (file.truncated) return rows > 0 ? "The rest is too large to show." : "Too large to show. Open it under Files.";
  if (rows > 0) return null;
  if (file.patch !== "" && ignoreWhitespace && file.additions + file.deletions > 0) return "Only whitespace changed.";
  if (file.status === "renamed") return "Renamed; its content is the same.";
  return file.status === "added" ? "An empty file." : "No line changed, only how the file is kept.";
}
