import type { UIMessageChunk } from "ai";
import { StepParts } from "@/lib/agent/step-parts";
import type { ChatEvent } from "./contract";

/** Folds the stored deltas of a step into its parts; a reset drops what came before. Outcomes of tool calls are not part of a step. */
export function foldDeltas(deltas: readonly ChatEvent[], empty: StepParts = new StepParts()): StepParts {
  let parts = empty;
  for (const delta of deltas) {
    if (delta.name === "reset-step") parts = new StepParts();
    else if (isStepChunk(delta.chunk)) parts.add(delta.chunk);
  }
  return parts;
}

function isStepChunk(chunk: unknown): chunk is UIMessageChunk {
  if (typeof chunk !== "object" || chunk === null || !("type" in chunk)) return false;
  return chunk.type !== "tool-output-available" && chunk.type !== "tool-output-error";
}
