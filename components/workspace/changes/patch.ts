export interface PatchLine {
  readonly kind: "added" | "removed" | "context";
  readonly text: string;
  /** Numbers in the old and the new file; null where the line is not. */
  readonly before: number | null;
  readonly after: number | null;
}

export interface Hunk {
  /** What git names as the place, for example the function; may be empty. */
  readonly place: string;
  readonly lines: readonly PatchLine[];
}

/** The hunks of one file's unified diff, without what stands before the first. Pure. */
export function parsePatch(patch: string): Hunk[] {
  const hunks: { place: string; lines: PatchLine[] }[] = [];
  let before = 0;
  let after = 0;
  for (const raw of patch.replace(/\n$/, "").split("\n")) {
    const head = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)/.exec(raw);
    const hunk = hunks.at(-1);
    if (head) {
      before = Number(head[1]);
      after = Number(head[2]);
      hunks.push({ place: head[3] ?? "", lines: [] });
    } else if (hunk) {
      const text = raw.slice(1).replace(/\r$/, "");
      if (raw.startsWith("+")) hunk.lines.push({ kind: "added", text, before: null, after: after++ });
      else if (raw.startsWith("-")) hunk.lines.push({ kind: "removed", text, before: before++, after: null });
      // "\ No newline at end of file" is about the line before it and no line itself.
      else if (!raw.startsWith("\\")) hunk.lines.push({ kind: "context", text, before: before++, after: after++ });
    }
  }
  return hunks;
}
