/** What `replaceText` did, or why it did nothing. Line numbers count from 1. */
export type EditOutcome =
  | { readonly kind: "replaced"; readonly text: string; readonly replacements: number; readonly line: number }
  | { readonly kind: "already_applied"; readonly line: number }
  | { readonly kind: "ambiguous"; readonly matches: number; readonly lines: readonly number[] }
  | { readonly kind: "not_found"; readonly nearest: readonly NearLine[] };

export interface NearLine {
  readonly line: number;
  readonly text: string;
}

export interface TextEdit {
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll: boolean;
  /** A second execution: an edit that is there already counts as done. */
  readonly again: boolean;
}

const MAX_NEAREST = 3;
const MAX_COMPARED_LINES = 20_000;
const MAX_COMPARED_CHARS = 400;
const MIN_SIMILARITY = 0.45;

/**
 * Replaces literal text: nothing in either string is special. The old text must occur once unless `replaceAll`. In
 * a file with CRLF line ends, a line break in either string stands for one.
 */
export function replaceText(text: string, edit: TextEdit): EditOutcome {
  const breaks = usesCrlf(text) ? toCrlf : (s: string) => s;
  const oldString = text.includes(edit.oldString) ? edit.oldString : breaks(edit.oldString);
  const newString = breaks(edit.newString);

  const found = occurrences(text, oldString);
  if (edit.again && isApplied(text, oldString, newString, found)) {
    const at = newString === "" ? 0 : text.indexOf(newString);
    return { kind: "already_applied", line: lineAt(text, at) };
  }
  const first = found[0];
  if (first === undefined) return { kind: "not_found", nearest: nearestLines(text, edit.oldString) };
  if (found.length > 1 && !edit.replaceAll) {
    return { kind: "ambiguous", matches: found.length, lines: found.slice(0, 5).map((at) => lineAt(text, at)) };
  }

  const pieces: string[] = [];
  let from = 0;
  for (const at of found) {
    pieces.push(text.slice(from, at), newString);
    from = at + oldString.length;
  }
  pieces.push(text.slice(from));
  return { kind: "replaced", text: pieces.join(""), replacements: found.length, line: lineAt(text, first) };
}

/** True when the new text is there and the old one is not, other than inside the new one (`a` → `ab`). */
function isApplied(text: string, oldString: string, newString: string, found: readonly number[]): boolean {
  if (newString === "") return found.length === 0;
  const made = occurrences(text, newString);
  if (made.length === 0) return false;
  return found.every((at) => made.some((start) => at >= start && at + oldString.length <= start + newString.length));
}

function occurrences(text: string, part: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found.push(at);
  return found;
}

function usesCrlf(text: string): boolean {
  const lineFeeds = occurrences(text, "\n").length;
  return lineFeeds > 0 && occurrences(text, "\r\n").length * 2 > lineFeeds;
}

function toCrlf(text: string): string {
  return text.replace(/\r?\n/g, "\r\n");
}

function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < index; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

/** The lines most like the first line with text of `wanted`, best first. */
function nearestLines(text: string, wanted: string): NearLine[] {
  const target = wanted.split("\n").find((line) => line.trim() !== "");
  if (target === undefined) return [];
  const targetPairs = pairsOf(target);
  return text
    .split("\n", MAX_COMPARED_LINES)
    .map((line, index) => ({ line: index + 1, text: line.replace(/\r$/, ""), score: similarity(targetPairs, line) }))
    .filter(({ score }) => score >= MIN_SIMILARITY)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_NEAREST)
    .map(({ line, text: near }) => ({ line, text: near }));
}

/** Dice coefficient over pairs of characters, blanks left out: 1 is equal, 0 has nothing in common. */
function similarity(target: ReadonlyMap<string, number>, line: string): number {
  const pairs = pairsOf(line);
  let shared = 0;
  let total = 0;
  for (const [pair, n] of pairs) {
    shared += Math.min(n, target.get(pair) ?? 0);
    total += n;
  }
  for (const n of target.values()) total += n;
  return total === 0 ? 0 : (2 * shared) / total;
}

function pairsOf(line: string): Map<string, number> {
  const text = line.replace(/\s+/g, "").slice(0, MAX_COMPARED_CHARS);
  const pairs = new Map<string, number>();
  for (let at = 0; at + 1 < text.length; at++) {
    const pair = text.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  // A line of one character has no pair; the character stands for itself.
  if (text.length === 1) pairs.set(text, 1);
  return pairs;
}
