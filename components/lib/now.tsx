"use client";

import { createContext, type ReactNode, useContext, useEffect, useState } from "react";

const RenderedAt = createContext<number | null>(null);
/** True once the first page has come to life in the browser; from then on its own clock is right for a first render. */
let hydrated = false;

/** Carries the server's time into the first render of the browser, so that relative times do not change while hydrating. */
export function NowProvider({ renderedAt, children }: { renderedAt: number; children: ReactNode }) {
  useEffect(() => {
    hydrated = true;
  }, []);
  return <RenderedAt value={renderedAt}>{children}</RenderedAt>;
}

/** The time in epoch milliseconds, renewed each `intervalMs`; `null` stops the clock. */
export function useNow(intervalMs: number | null): number {
  const renderedAt = useContext(RenderedAt);
  const [now, setNow] = useState(() => (hydrated ? Date.now() : (renderedAt ?? Date.now())));
  useEffect(() => {
    setNow(Date.now());
    if (intervalMs === null) return;
    const timer = setInterval(() => setNow(Date.now()), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return now;
}
