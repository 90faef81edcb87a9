"use client";

import { createContext, type ReactNode, useCallback, useContext, useState } from "react";

const Kept = createContext<Map<string, unknown>>(new Map());

/** Around a virtual list: what its rows remember while they are out of sight. Nothing renders when it changes. */
export function KeptState({ children }: { children: ReactNode }) {
  const [kept] = useState(() => new Map<string, unknown>());
  return <Kept value={kept}>{children}</Kept>;
}

/** `useState` that survives the row being taken out of the document and put back. `key` is unique in the list. */
export function useKept<T>(key: string, initial: T): [T, (value: T) => void] {
  const kept = useContext(Kept);
  const [value, setValue] = useState<T>(() => (kept.has(key) ? (kept.get(key) as T) : initial));
  const write = useCallback(
    (next: T) => {
      kept.set(key, next);
      setValue(next);
    },
    [kept, key],
  );
  return [value, write];
}
