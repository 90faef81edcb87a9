import { useMemo } from "react";
import type { PatchLine } from "@/components/workspace/changes/patch";
import { markWords, type Span } from "@/components/workspace/changes/words";
import { visibleText } from "@/components/workspace/visible-text";

/** The text of a line; of an edited one the words that changed stand out. */
export function MarkedText({ line, partner }: { line: PatchLine; partner: string | null }) {
  const spans = useMemo((): readonly Span[] => {
    const removed = line.kind === "removed";
    const marks = partner === null ? null : removed ? markWords(line.text, partner) : markWords(partner, line.text);
    return (removed ? marks?.left : marks?.right) ?? [{ text: line.text, changed: false }];
  }, [line, partner]);
  const mark = line.kind === "removed" ? "bg-danger-mark" : "bg-ok-mark";
  return spans.map((span, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the words of one line never move
    <span key={index} className={span.changed ? `rounded-sm ${mark}` : undefined}>
      {visibleText(span.text)}
    </span>
  ));
}
