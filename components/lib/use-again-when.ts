"use client";

import { useEffect, useRef } from "react";

/** Calls `run` when `value` has changed, not at the first render. */
export function useAgainWhen(value: unknown, run: () => unknown): void {
  const seen = useRef(value);
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    if (seen.current === value) return;
    seen.current = value;
    latest.current();
  }, [value]);
}
