import { diffArrays } from "diff";
import type { PatchLine } from "@/components/workspace/changes/patch";

/** One row of the split view: what stood there and what stands there now. */
export interface Pair {
  readonly left: PatchLine | null;
  readonly right: PatchLine | null;
  /** Same: nothing to see. Edited: one line became the other. Other: they only share the row. */
  readonly kind: "same" | "edited" | "other";
}

/** Above so many combinations two runs of lines are set side by side in order, without looking for likeness. */
const MAX_COMBINATIONS = 900;
/** Lines with less in common are not one line edited. */
const LEAST_LIKENESS = 0.4;
const WHITESPACE_DIFF_TIMEOUT_MS = 200;

/**
 * Sets removed and added lines side by side: context beside itself, and inside a change each line beside the one that it
 * most likely became, in order. With `ignoreWhitespace` lines that differ in nothing else count as the same. Pure.
 */
export function alignLines(lines: readonly PatchLine[], ignoreWhitespace = false): Pair[] {
  const pairs: Pair[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    if (line?.kind === "context") {
      pairs.push({ left: line, right: line, kind: "same" });
      at++;
      continue;
    }
    const removed = runOf(lines, at, "removed");
    const added = runOf(lines, at + removed.length, "added");
    pairs.push(...(ignoreWhitespace ? alignIgnoring(removed, added) : alignBlock(removed, added)));
    at += removed.length + added.length;
  }
  return pairs;
}

function runOf(lines: readonly PatchLine[], from: number, kind: PatchLine["kind"]): PatchLine[] {
  let end = from;
  while (lines[end]?.kind === kind) end++;
  return lines.slice(from, end);
}

function alignIgnoring(removed: readonly PatchLine[], added: readonly PatchLine[]): Pair[] {
  const bare = (line: PatchLine) => line.text.replaceAll(/\s+/g, "");
  const changes = diffArrays(removed.map(bare), added.map(bare), { timeout: WHITESPACE_DIFF_TIMEOUT_MS });
  if (!changes) return alignBlock(removed, added);
  const pairs: Pair[] = [];
  let left = 0;
  let right = 0;
  let pending: { removed: PatchLine[]; added: PatchLine[] } = { removed: [], added: [] };
  const flush = () => {
    pairs.push(...alignBlock(pending.removed, pending.added));
    pending = { removed: [], added: [] };
  };
  for (const change of changes) {
    if (change.removed) pending.removed.push(...removed.slice(left, left + change.count));
    else if (change.added) pending.added.push(...added.slice(right, right + change.count));
    else {
      flush();
      for (let index = 0; index < change.count; index++)
        pairs.push({ left: removed[left + index] ?? null, right: added[right + index] ?? null, kind: "same" });
    }
    if (!change.added) left += change.count;
    if (!change.removed) right += change.count;
  }
  flush();
  return pairs;
}

/** The pairing in order with the greatest likeness in sum; what has no partner shares rows with what has none either. */
function alignBlock(removed: readonly PatchLine[], added: readonly PatchLine[]): Pair[] {
  const pairs: Pair[] = [];
  let left = 0;
  let right = 0;
  const share = (leftEnd: number, rightEnd: number) => {
    for (; left < leftEnd || right < rightEnd; ) {
      pairs.push({
        left: left < leftEnd ? (removed[left++] ?? null) : null,
        right: right < rightEnd ? (added[right++] ?? null) : null,
        kind: "other",
      });
    }
  };
  for (const [leftAt, rightAt] of partners(removed, added)) {
    share(leftAt, rightAt);
    pairs.push({ left: removed[left++] ?? null, right: added[right++] ?? null, kind: "edited" });
  }
  share(removed.length, added.length);
  return pairs;
}

function partners(removed: readonly PatchLine[], added: readonly PatchLine[]): [number, number][] {
  const rows = removed.length;
  const columns = added.length;
  if (rows * columns > MAX_COMBINATIONS) {
    // Too many to compare: equal numbers of lines most likely became each other one by one.
    return rows === columns ? removed.map((_, index) => [index, index]) : [];
  }
  const tokens = { left: removed.map(toTokens), right: added.map(toTokens) };
  const best = Array.from({ length: rows + 1 }, () => new Float64Array(columns + 1));
  const alike = Array.from({ length: rows }, () => new Float64Array(columns));
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      const likeness = likenessOf(tokens.left[row], tokens.right[column]);
      const score = likeness < LEAST_LIKENESS ? 0 : likeness;
      (alike[row] as Float64Array)[column] = score;
      (best[row] as Float64Array)[column] = Math.max(
        best[row + 1]?.[column] ?? 0,
        best[row]?.[column + 1] ?? 0,
        score > 0 ? score + (best[row + 1]?.[column + 1] ?? 0) : 0,
      );
    }
  }
  const found: [number, number][] = [];
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    const score = alike[row]?.[column] ?? 0;
    const here = best[row]?.[column] ?? 0;
    if (score > 0 && here === score + (best[row + 1]?.[column + 1] ?? 0)) found.push([row++, column++]);
    else if (here === (best[row + 1]?.[column] ?? 0)) row++;
    else column++;
  }
  return found;
}

function toTokens(line: PatchLine): ReadonlySet<string> {
  return new Set(line.text.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []);
}

/** 1 for the same words, 0 for none in common. */
function likenessOf(one: ReadonlySet<string> = new Set(), two: ReadonlySet<string> = new Set()): number {
  if (one.size + two.size === 0) return 1;
  let common = 0;
  for (const token of one) if (two.has(token)) common++;
  return (2 * common) / (one.size + two.size);
}
