"use client";

import { apiPaths } from "@/components/lib/api-paths";
import { usePolled } from "@/components/lib/use-polled";
import type { StartView } from "@/lib/session/contract";

/** Whether a start has come to its end. */
export function isStartOver(start: StartView): boolean {
  return start.status === "READY" || start.status === "ERROR";
}

/** The start of a session: polled each 2 s until READY or ERROR, then left alone; the chat's stream is faster. */
export function useStart(sessionId: string): StartView | undefined {
  return usePolled<StartView>(apiPaths.start(sessionId), startPollMs).data;
}

function startPollMs(latest: StartView | undefined): number {
  return latest && isStartOver(latest) ? 0 : 2_000;
}
