"use client";

import { useCallback, useRef, useState } from "react";
import { opensAtFirst } from "@/components/workspace/changes/change-rows";
import type { DiffFile } from "@/lib/sandbox/contract";

/**
 * Which files and folders stand open. What a person chose holds; a file that nobody touched stays as it was when it was
 * first seen, so that a turn at work opens and closes nothing.
 */
export function useOpenPaths(files: readonly DiffFile[]) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const atFirst = useRef(new Map<string, boolean>());
  for (const file of files) {
    if (!atFirst.current.has(file.path)) atFirst.current.set(file.path, opensAtFirst(file, files.length));
  }
  const isOpen = useCallback((path: string) => chosen.get(path) ?? atFirst.current.get(path) ?? true, [chosen]);
  const set = useCallback((path: string, open: boolean) => setChosen((before) => new Map(before).set(path, open)), []);
  const setAll = (open: boolean) =>
    setChosen((before) => new Map([...before, ...files.map((file) => [file.path, open] as const)]));
  return { isOpen, set, setAll };
}
