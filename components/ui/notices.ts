"use client";

import { useSyncExternalStore } from "react";

export interface Notice {
  readonly title: string;
  readonly text?: string | undefined;
  readonly tone?: "ok" | "info" | "danger";
  /** What the person can do about it, for example go there. */
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

/** Told, but not shown yet: what shows them comes when there is something to show. */
let untold: readonly Notice[] = [];
const listeners = new Set<() => void>();

function setUntold(next: readonly Notice[]): void {
  untold = next;
  for (const listener of listeners) listener();
}

/** Says in passing what happened somewhere else. What happens in view is said in its place instead. */
export function notify(notice: Notice): void {
  setUntold([...untold, notice]);
}

/** The notices that wait to be shown; `take` takes them away. */
export function useUntold(): { readonly untold: readonly Notice[]; readonly take: () => void } {
  const waiting = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => untold,
    () => NONE,
  );
  return { untold: waiting, take };
}
const NONE: readonly Notice[] = [];
const take = () => setUntold(NONE);

/** Tells a failure of something that was asked from a place which is gone by now. */
export function notifyFailure(failure: { readonly message: string }): void {
  notify({ tone: "danger", title: "That did not work", text: failure.message });
}
