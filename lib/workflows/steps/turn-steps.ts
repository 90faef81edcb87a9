import type { TurnNext } from "@/lib/chat/turn-service";
import type { RunRef } from "@/lib/db/lease";
import { guarded } from "./guard";

const MANY = 1_000_000;

export async function claimTurn(ref: RunRef): Promise<TurnNext> {
  "use step";
  const { claimTurn: claim } = await import("@/lib/chat/turn-service");
  return guarded<TurnNext>("claimTurn", ref.id, (deps) => claim(deps, ref));
}
claimTurn.maxRetries = MANY;

export async function modelStep(ref: RunRef): Promise<TurnNext> {
  "use step";
  const { runModelTurnStep } = await import("@/lib/chat/model-step");
  const { makeInstructions } = await import("@/lib/session/instructions");
  return guarded<TurnNext>("modelStep", ref.id, (deps) =>
    runModelTurnStep(deps, ref, (turn) => makeInstructions(deps, turn)),
  );
}
modelStep.maxRetries = MANY;

export async function toolStep(ref: RunRef): Promise<TurnNext> {
  "use step";
  const { runToolTurnStep } = await import("@/lib/chat/tool-step");
  return guarded<TurnNext>("toolStep", ref.id, (deps) => runToolTurnStep(deps, ref));
}
toolStep.maxRetries = MANY;

export async function finishStep(ref: RunRef): Promise<TurnNext> {
  "use step";
  const { finishTurn } = await import("@/lib/chat/turn-service");
  const { refreshFacts } = await import("@/lib/sandbox/facts");
  return guarded<TurnNext>("finishStep", ref.id, (deps) =>
    finishTurn(deps, ref, (turn) => refreshFacts(deps, turn.sandboxId)),
  );
}
finishStep.maxRetries = MANY;
