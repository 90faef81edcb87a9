import { diffWordsWithSpace } from "diff";

export interface Span {
  readonly text: string;
  readonly changed: boolean;
}

/** Longer lines are generated, or nobody reads them word by word. */
const MAX_CHARS = 1_000;
/** When less than this share of the line stayed, marks would only be noise. */
const LEAST_KEPT = 0.25;

/** Which words of a line changed when it became another; null when that would say nothing. Pure. */
export function markWords(before: string, after: string): { left: Span[]; right: Span[] } | null {
  if (before === after || before.length > MAX_CHARS || after.length > MAX_CHARS) return null;
  const left: Span[] = [];
  const right: Span[] = [];
  let kept = 0;
  for (const { value, added, removed } of diffWordsWithSpace(before, after)) {
    if (!added) left.push({ text: value, changed: removed });
    if (!removed) right.push({ text: value, changed: added });
    if (!added && !removed) kept += value.trim().length;
  }
  const longest = Math.max(before.trim().length, after.trim().length);
  return kept < longest * LEAST_KEPT ? null : { left, right };
}
