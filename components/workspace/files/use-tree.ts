"use client";

import { useState } from "react";

export interface TreeState {
  readonly isOpen: (path: string) => boolean;
  readonly setOpen: (path: string, open: boolean) => void;
  /** The item that Tab leads to, or null for the first one. */
  readonly active: string | null;
  /** The folder that uploads go to: that of the active item. */
  readonly folder: string;
  readonly focus: (path: string, isFolder: boolean) => void;
  /** The file that is shown. */
  readonly file: string | null;
  readonly openFile: (path: string) => void;
  readonly closeFile: () => void;
}

/** What is open in the tree of files, where the focus is, and which file is shown. */
export function useTree(): TreeState {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState<{ path: string; folder: string } | null>(null);
  const [file, setFile] = useState<string | null>(null);
  return {
    isOpen: (path) => open.has(path),
    setOpen: (path, wanted) =>
      setOpen((before) => {
        const next = new Set(before);
        if (wanted) next.add(path);
        else next.delete(path);
        return next;
      }),
    active: active?.path ?? null,
    folder: active?.folder ?? "",
    focus: (path, isFolder) =>
      setActive({ path, folder: isFolder ? path : path.slice(0, Math.max(0, path.lastIndexOf("/"))) }),
    file,
    openFile: setFile,
    closeFile: () => setFile(null),
  };
}
