"use client";

import { useEffect, useRef, useSyncExternalStore } from "react";
import { ariaKeys, hasModifier, matchesKeys } from "@/components/lib/keys";
import { useIsMac } from "@/components/lib/platform";

/** Every shortcut of the app, in the order in which `?` lists them. */
export const SHORTCUTS = {
  palette: { keys: "mod+k", label: "Find a session or a command", group: "Everywhere" },
  newSession: { keys: "n", label: "New session", group: "Everywhere" },
  search: { keys: "/", label: "Search sessions", group: "Everywhere" },
  toggleSidebar: { keys: "mod+b", label: "Show or hide the sessions", group: "Everywhere" },
  help: { keys: "?", label: "Show these keys", group: "Everywhere" },
  composer: { keys: "m", label: "Write a message", group: "Chat" },
  send: { keys: "mod+enter", label: "Send", group: "Chat" },
  stop: { keys: "mod+.", label: "Stop the agent", group: "Chat" },
  newChat: { keys: "t", label: "New chat", group: "Chat" },
  previousChat: { keys: "[", label: "Previous chat", group: "Chat" },
  nextChat: { keys: "]", label: "Next chat", group: "Chat" },
} as const;

export type ShortcutName = keyof typeof SHORTCUTS;

/** Returns `false` when it had nothing to do, so that the one before it is asked and the browser does its own. */
export type ShortcutHandler = () => unknown;

/** Who answers: the newest last, since what opened last lies on top. */
const answering = new Map<ShortcutName, ShortcutHandler[]>();
let answered: readonly ShortcutName[] = [];
const listeners = new Set<() => void>();

function changed(): void {
  answered = (Object.keys(SHORTCUTS) as ShortcutName[]).filter((name) => (answering.get(name)?.length ?? 0) > 0);
  for (const listener of listeners) listener();
}

/** Answers a shortcut while the component is on the page; null leaves it to others. The handler may change freely. */
export function useShortcut(name: ShortcutName, handler: ShortcutHandler | null): void {
  const latest = useRef(handler);
  useEffect(() => {
    latest.current = handler;
  });
  const answers = handler !== null;
  useEffect(() => {
    if (!answers) return;
    const answer: ShortcutHandler = () => latest.current?.();
    answering.set(name, [...(answering.get(name) ?? []), answer]);
    changed();
    return () => {
      answering.set(
        name,
        (answering.get(name) ?? []).filter((entry) => entry !== answer),
      );
      changed();
    };
  }, [name, answers]);
}

/** The shortcuts that something answers now. */
export function useAnsweredShortcuts(): readonly ShortcutName[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => answered,
    () => NONE,
  );
}
const NONE: readonly ShortcutName[] = [];

/** The value for `aria-keyshortcuts` of the button that does the same. */
export function useAriaKeys(name: ShortcutName): string {
  return ariaKeys(SHORTCUTS[name].keys, useIsMac());
}

const SINGLE_KEYS = "dormouse:single-keys";

/**
 * Whether keys without a modifier do something. Who speaks to the machine, or hits keys by chance, turns them off (WCAG
 * 2.1.4). A browser that refuses storage has them on.
 */
export function readSingleKeys(): boolean {
  try {
    return localStorage.getItem(SINGLE_KEYS) !== "off";
  } catch {
    return true;
  }
}

export function saveSingleKeys(on: boolean): void {
  try {
    localStorage.setItem(SINGLE_KEYS, on ? "on" : "off");
  } catch {
    // Then it is as it was at the next look.
  }
}

/** Listens to the keyboard; once per page. */
export function ShortcutListener() {
  const mac = useIsMac();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return;
      // What lies above the page has keys of its own.
      const place = event.target instanceof Element ? event.target : null;
      if (place?.closest("[role=dialog], [role=alertdialog], [role=menu], [role=listbox]")) return;
      for (const name of answered) {
        const { keys } = SHORTCUTS[name];
        if (!matchesKeys(event, keys, mac)) continue;
        if (!hasModifier(keys) && (isWriting(place) || !readSingleKeys())) continue;
        const done = answering
          .get(name)
          ?.toReversed()
          .some((answer) => answer() !== false);
        if (done) event.preventDefault();
        return;
      }
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [mac]);
  return null;
}

/** Whether keys write text there. */
function isWriting(place: Element | null): boolean {
  return Boolean(
    place?.closest("input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable=true]"),
  );
}
