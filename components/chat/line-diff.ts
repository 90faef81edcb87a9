export interface DiffLine {
  readonly kind: "added" | "removed" | "context";
  readonly text: string;
  /** In the new text, or in the old one for a removed line. */
  readonly lineNumber: number;
}

/** Beyond this many pairs of lines the middle is shown as replaced in one piece: it would cost more than it tells. */
const MOST_PAIRS = 250_000;
const CONTEXT_LINES = 3;

/**
 * The lines that one text takes away and another puts in its place, in the order of a unified diff, with a few of the
 * lines around them. `firstLine` is where the texts stand in their file.
 */
export function diffLines(before: string, after: string, firstLine = 1): DiffLine[] {
  const old = toLines(before);
  const now = toLines(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  ) {
    end++;
  }
  const lines: DiffLine[] = [];
  const add = (kind: DiffLine["kind"], text: string, index: number) =>
    lines.push({ kind, text, lineNumber: firstLine + index });
  for (let at = Math.max(0, start - CONTEXT_LINES); at < start; at++) add("context", now[at] ?? "", at);
  let oldAt = start;
  let nowAt = start;
  for (const step of middle(old.slice(start, old.length - end), now.slice(start, now.length - end))) {
    if (step === "removed") add("removed", old[oldAt] ?? "", oldAt);
    else add(step, now[nowAt] ?? "", nowAt);
    if (step !== "added") oldAt++;
    if (step !== "removed") nowAt++;
  }
  for (let at = nowAt; at < Math.min(now.length, nowAt + CONTEXT_LINES); at++) add("context", now[at] ?? "", at);
  return lines;
}

/** How many lines came and went. */
export function countChanges(lines: readonly DiffLine[]): { added: number; removed: number } {
  return {
    added: lines.filter((line) => line.kind === "added").length,
    removed: lines.filter((line) => line.kind === "removed").length,
  };
}

function toLines(text: string): string[] {
  if (text === "") return [];
  return text.replace(/\n$/, "").split("\n");
}

/** The steps from one list to the other by their longest common subsequence. */
function middle(old: readonly string[], now: readonly string[]): DiffLine["kind"][] {
  const replaced = () => [...old.map(() => "removed" as const), ...now.map(() => "added" as const)];
  if (old.length * now.length > MOST_PAIRS) return replaced();
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = now.length - 1; column >= 0; column--) {
      common[row * width + column] =
        old[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const steps: DiffLine["kind"][] = [];
  let row = 0;
  let column = 0;
  while (row < old.length || column < now.length) {
    if (row < old.length && column < now.length && old[row] === now[column]) {
      steps.push("context");
      row++;
      column++;
    } else if (row < old.length && (column >= now.length || at(row + 1, column) >= at(row, column + 1))) {
      steps.push("removed");
      row++;
    } else {
      steps.push("added");
      column++;
    }
  }
  return steps;
}
