"use client";

import { useCallback, useRef } from "react";
import { type FileBody, toFileBody, type ViewOptions } from "@/components/workspace/changes/file-rows";
import type { DiffFile } from "@/lib/sandbox/contract";

/** The lines of files, worked out when a file is open and once for each of its patches. */
export function useBodies({ split, ignoreWhitespace }: ViewOptions): (file: DiffFile, open: boolean) => FileBody {
  const known = useRef(new Map<string, { patch: string; options: string; body: FileBody }>());
  return useCallback(
    (file, open) => {
      // The counts of git are right unless whitespace is left out of them.
      if (!open && !ignoreWhitespace) return { additions: file.additions, deletions: file.deletions, rows: [] };
      const options = `${split} ${ignoreWhitespace}`;
      const before = known.current.get(file.path);
      if (before?.patch === file.patch && before.options === options && file.patch !== "") return before.body;
      const body = toFileBody(file, { split, ignoreWhitespace });
      known.current.set(file.path, { patch: file.patch, options, body });
      return body;
    },
    [split, ignoreWhitespace],
  );
}
