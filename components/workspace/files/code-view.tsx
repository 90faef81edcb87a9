"use client";

import { memo, useMemo } from "react";
import { Virtualizer } from "virtua";
import type { CodeToken } from "@/components/workspace/files/highlighter";
import { useHighlight } from "@/components/workspace/files/use-highlight";
import { visibleText } from "@/components/workspace/visible-text";

const LINE_PX = 20;

/** A text with line numbers and, where its language is known, colours. Only the lines in view are in the document. */
export function CodeView({ text, language, label }: { text: string; language: string | null; label: string }) {
  const lines = useMemo(() => text.replace(/\n$/, "").split(/\r?\n/), [text]);
  const coloured = useHighlight(text, language);
  const digits = String(lines.length).length;
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      className="scroll-area min-h-0 flex-1 bg-surface py-1 font-mono text-xs focus-visible:-outline-offset-2"
    >
      <Virtualizer data={lines} itemSize={LINE_PX} bufferSize={400}>
        {(line, index) => (
          <Line key={index} number={index + 1} digits={digits} text={line} tokens={coloured?.[index] ?? null} />
        )}
      </Virtualizer>
    </section>
  );
}

const Line = memo(function Line({
  number,
  digits,
  text,
  tokens,
}: {
  number: number;
  digits: number;
  text: string;
  tokens: readonly CodeToken[] | null;
}) {
  return (
    <div className="flex min-h-5 gap-3 pr-3 pl-2">
      <span style={{ minWidth: `${digits}ch` }} className="shrink-0 text-right text-ink-faint tabular-nums select-none">
        {number}
      </span>
      <code className="min-w-0 flex-1 font-mono whitespace-pre-wrap [overflow-wrap:anywhere]">
        {tokens
          ? tokens.map((token, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one line never move
              <span key={index} style={{ color: token.color }}>
                {visibleText(token.text)}
              </span>
            ))
          : visibleText(text)}
      </code>
    </div>
  );
});
