"use client";

import { useMemo } from "react";
import type { ViewOptions } from "@/components/workspace/changes/file-rows";
import { useStoredChoice } from "@/components/workspace/use-stored-choice";

export interface DiffLook {
  readonly options: ViewOptions;
  readonly layout: "unified" | "split";
  readonly setLayout: (layout: "unified" | "split") => void;
  readonly setIgnoreWhitespace: (ignore: boolean) => void;
}

/** How this browser shows changes. */
export function useDiffLook(): DiffLook {
  const [layout, setLayout] = useStoredChoice("diff-layout", ["unified", "split"]);
  const [whitespace, setWhitespace] = useStoredChoice("diff-whitespace", ["show", "hide"]);
  const options = useMemo(
    () => ({ split: layout === "split", ignoreWhitespace: whitespace === "hide" }),
    [layout, whitespace],
  );
  return { options, layout, setLayout, setIgnoreWhitespace: (ignore) => setWhitespace(ignore ? "hide" : "show") };
}
