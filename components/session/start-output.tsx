"use client";

import { useLayoutEffect, useRef } from "react";
import { PHASE_LABEL } from "@/components/session/phase-words";
import type { StartPhase } from "@/lib/session/contract";

/** The live output of a phase in a box of fixed height that stays at its end, unless the person has scrolled up in it. */
export function StartOutput({ phase }: { phase: StartPhase | null }) {
  const box = useRef<HTMLElement>(null);
  const atEnd = useRef(true);
  const output = phase?.output ?? "";
  // biome-ignore lint/correctness/useExhaustiveDependencies: new output is what makes the box scroll
  useLayoutEffect(() => {
    const element = box.current;
    if (element && atEnd.current) element.scrollTop = element.scrollHeight;
  }, [output]);
  return (
    <section
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={phase ? `Output of: ${PHASE_LABEL[phase.name]}` : "Output"}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < 24;
      }}
      className="scroll-area h-32 rounded-md bg-sunken p-2.5 font-mono text-xs text-ink-soft"
    >
      <pre className="font-mono break-words whitespace-pre-wrap">{output || "No output yet."}</pre>
    </section>
  );
}
