"use client";

import { createContext, useContext } from "react";
import type { Preferences } from "@/components/settings/preferences";

/** What the frame of the page offers to what stands in it. */
export interface Shell {
  /** As the server rendered the page. */
  readonly look: Preferences;
  readonly userName: string;
  /** Opens the list of sessions where it has no place of its own. */
  readonly openSessions: () => void;
  readonly openPalette: () => void;
  readonly openHelp: () => void;
}

export const ShellContext = createContext<Shell | null>(null);

/** @throws outside the frame of the signed-in pages */
export function useShell(): Shell {
  const shell = useContext(ShellContext);
  if (!shell) throw new Error("invariant: this belongs into the frame of the signed-in pages");
  return shell;
}
