"use client";

import { useState } from "react";
import useSWR, { type SWRConfiguration } from "swr";
import { fetchJson } from "@/components/lib/api-client";

/**
 * A GET that is repeated as often as its newest answer asks for. SWR's own function for `refreshInterval` is consulted
 * only when a timer fires, so an answer that came another way (the stream, a mutation) would wait out the old pause.
 * @param intervalMs pause in milliseconds after an answer; 0 stops asking
 */
export function usePolled<T>(
  path: string,
  intervalMs: (latest: T | undefined) => number,
  options: Omit<SWRConfiguration<T>, "refreshInterval"> = {},
) {
  const [refreshInterval, setRefreshInterval] = useState(() => intervalMs(undefined));
  const answer = useSWR<T>(path, fetchJson, { ...options, refreshInterval });
  const wanted = intervalMs(answer.data);
  if (wanted !== refreshInterval) setRefreshInterval(wanted);
  return answer;
}
