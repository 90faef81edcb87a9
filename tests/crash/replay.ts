import type { StreamedEvent } from "@/tests/api/sse";

interface Chunk {
  readonly type: string;
  readonly delta?: string;
}

/**
 * The text of a turn as a client builds it from deltas alone: chunks in order, and a `reset-step` throws away everything
 * since the last `start-step`, a step included that had been said to its end but not stored (design.md, section 6).
 */
export function replayText(events: readonly StreamedEvent[], turnId: string): string {
  let before = "";
  let step = "";
  for (const event of events) {
    if (event.turnId !== turnId || event.kind !== "delta") continue;
    if (event.name === "reset-step") step = "";
    const chunk = event.chunk as Chunk | undefined;
    if (chunk?.type === "start-step") {
      before += step;
      step = "";
    }
    if (chunk?.type === "text-delta") step += chunk.delta ?? "";
  }
  return before + step;
}
