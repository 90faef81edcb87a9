"use client";

import type { ReactElement, ReactNode, Ref } from "react";
import type { CustomContainerComponentProps } from "virtua";
import { answerOfRow } from "@/components/chat/part-rows";

/** Puts the rows of one answer into one article, so that it is a single thing to those who read by ear. */
export function groupAnswers(rows: readonly ReactElement[]): ReactNode[] {
  const groups: { answer: string | null; rows: ReactElement[] }[] = [];
  for (const row of rows) {
    const answer = answerOfRow(row.key ?? "");
    const last = groups.at(-1);
    if (last && answer !== null && last.answer === answer) last.rows.push(row);
    else groups.push({ answer, rows: [row] });
  }
  return groups.map((group) =>
    group.answer === null ? (
      group.rows
    ) : (
      <article key={group.answer} aria-label="Dormouse">
        {group.rows}
      </article>
    ),
  );
}

/** The container of the virtual rows, which it places themselves: an article around them changes no position. */
export function AnswerGroups({ ref, style, children }: CustomContainerComponentProps) {
  // The list would refuse the mouse while it scrolls, and a list that follows an answer scrolls all the time.
  const { pointerEvents: _, ...rest } = style;
  return (
    <div ref={ref as Ref<HTMLDivElement>} style={rest}>
      {groupAnswers(children as ReactElement[])}
    </div>
  );
}
