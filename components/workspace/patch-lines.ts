export type PatchLineKind = "added" | "removed" | "context" | "hunk";

export interface PatchLine {
  readonly kind: PatchLineKind;
  readonly text: string;
  /** Line number in the new file, or in the old one for a removed line; null for a hunk's heading. */
  readonly lineNumber: number | null;
}

/** The lines of one file's unified diff without the headers before its first hunk. */
export function toPatchLines(patch: string): PatchLine[] {
  const lines: PatchLine[] = [];
  let before = 0;
  let after = 0;
  let inHunk = false;
  for (const text of patch.replace(/\n$/, "").split("\n")) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)/.exec(text);
    if (hunk) {
      inHunk = true;
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      lines.push({ kind: "hunk", text, lineNumber: null });
    } else if (inHunk) {
      if (text.startsWith("+")) lines.push({ kind: "added", text, lineNumber: after++ });
      else if (text.startsWith("-")) lines.push({ kind: "removed", text, lineNumber: before++ });
      else if (text.startsWith("\\")) lines.push({ kind: "context", text, lineNumber: null });
      else {
        lines.push({ kind: "context", text, lineNumber: after++ });
        before++;
      }
    }
  }
  return lines;
}
