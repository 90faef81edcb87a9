"use client";

import { useSyncExternalStore } from "react";

/** Whether the last call reached the server. One call that fails may be chance; the second says so. */
let failures = 0;
const listeners = new Set<() => void>();
const FAILURES_TO_TELL = 2;

/** Told by every call of the API. */
export function reportReach(reached: boolean): void {
  const before = isLost();
  failures = reached ? 0 : failures + 1;
  if (isLost() !== before) for (const listener of listeners) listener();
}

function isLost(): boolean {
  return failures >= FAILURES_TO_TELL;
}

/** Whether the server cannot be reached just now; the polls try again by themselves. */
export function useConnectionLost(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isLost,
    () => false,
  );
}
