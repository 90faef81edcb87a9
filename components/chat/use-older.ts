"use client";

import { useCallback, useRef, useState } from "react";
import type { ApiFailure } from "@/components/lib/api-client";

/** This close to the beginning of what is there, more is asked for. */
const NEAR_START_PX = 800;

/** Fetches older messages when the person scrolls up to where they would stand, or asks for them. */
export function useOlder(hasOlder: boolean, onLoadOlder: () => Promise<ApiFailure | null>) {
  const [loading, setLoading] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const busy = useRef(false);
  const last = useRef(Number.POSITIVE_INFINITY);

  const load = useCallback(async () => {
    if (busy.current) return;
    busy.current = true;
    setLoading(true);
    setFailure(await onLoadOlder());
    setLoading(false);
    busy.current = false;
  }, [onLoadOlder]);

  /** After a failure only the button tries again: else every movement would. */
  const onScroll = (offset: number) => {
    const upwards = offset < last.current && last.current !== Number.POSITIVE_INFINITY;
    last.current = offset;
    if (upwards && hasOlder && offset < NEAR_START_PX && failure === null) void load();
  };
  return { loading, failure, load: () => void load(), onScroll };
}
