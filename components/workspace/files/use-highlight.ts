"use client";

import { useEffect, useState } from "react";
import type { CodeToken } from "@/components/workspace/files/highlighter";

/** Longer texts stay plain: colouring them would hold the page for longer than it is worth. */
const MAX_CHARS = 150_000;

/** The coloured lines of a text once they are there, null until then and for what stays plain. */
export function useHighlight(text: string, language: string | null): CodeToken[][] | null {
  const [done, setDone] = useState<{ text: string; lines: CodeToken[][] | null } | null>(null);
  useEffect(() => {
    if (!language || text.length > MAX_CHARS) return;
    let current = true;
    void import("@/components/workspace/files/highlighter")
      .then(({ highlightCode }) => highlightCode(text, language))
      // Colour is a help; without it the text is all there.
      .catch(() => null)
      .then((lines) => current && setDone({ text, lines }));
    return () => {
      current = false;
    };
  }, [text, language]);
  return done?.text === text ? done.lines : null;
}
