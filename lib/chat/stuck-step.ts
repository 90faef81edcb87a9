import { type Execution, fence } from "@/lib/db/lease";
import type { Deps } from "@/lib/deps";
import { appendEvents } from "./stream-store";
import type { TurnProgress } from "./turn-service";
import { patchTurn } from "./turn-store";

/**
 * Tells an agent that goes in circles to try another way, once; the turn then asks the person (design.md, section 5). Answers
 * the words for the step that is about to be made, also when it is made again after a crash.
 */
export async function nudgeIfStuck(
  deps: Deps,
  execution: Execution,
  { turn, steps, stuck }: TurnProgress,
): Promise<string | null> {
  const next = steps.length;
  if (turn.stuck.nudge?.beforeStep === next) return turn.stuck.nudge.words;
  if (stuck.kind !== "nudge") return null;
  await deps.db.transaction(async (tx) => {
    await fence(tx, execution);
    await patchTurn(tx, turn.id, { stuck: { ...turn.stuck, nudge: { beforeStep: next, words: stuck.words } } });
    await appendEvents(tx, turn.chatId, [
      {
        kind: "notice",
        name: "stuck_nudge",
        source: "system",
        turnId: turn.id,
        data: {
          message: "The agent repeats itself. It was told to try another way.",
          pattern: stuck.pattern,
        },
      },
    ]);
  });
  return stuck.words;
}
