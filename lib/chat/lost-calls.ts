import { type Execution, fence } from "@/lib/db/lease";
import type { Deps } from "@/lib/deps";
import { errorText } from "@/lib/kernel/log";
import { estimatedUsage } from "@/lib/model/estimate";
import { closeCall, closeForgottenCalls, listOpenCalls } from "@/lib/model/ledger-store";
import { sumUpTurn } from "./step-usage";
import { findChatOwner } from "./store";
import { readDeltas } from "./stream-store";
import { findTurn, listSteps } from "./turn-store";

/**
 * Settles the calls that an earlier execution of a turn left open when it died: the prompt was taken in, and what was stored of
 * the answer was said. First thing in every step that asks a model or may end the turn, before a call of its own is open; so no
 * ended turn has an open call.
 * @throws LeaseLost
 */
export async function settleLostCalls(deps: Deps, execution: Execution): Promise<void> {
  const seen = await listOpenCalls(deps.db, execution.id);
  const turn = seen.length > 0 ? await findTurn(deps.db, execution.id) : null;
  if (!turn) return;
  const userId = await findChatOwner(deps.db, turn.chatId);
  const models = [...new Set(seen.map(({ model }) => model))];
  // A provider may be asked for its prices, so not within the transaction.
  const found = await Promise.all(
    models.map((ref) => (userId ? deps.models.find(userId, ref).catch(() => null) : null)),
  );
  const costOf = new Map(models.map((ref, index) => [ref, found[index]?.costOf]));
  await deps.db.transaction(async (tx) => {
    await fence(tx, execution);
    const after = (await listSteps(tx, [turn.id])).at(-1)?.seq ?? 0;
    const deltas = await readDeltas(tx, turn.chatId, turn.id, after);
    for (const call of await listOpenCalls(tx, turn.id)) {
      // An earlier try that broke off said something too, but has its own row. A summary has no attempt, and stored nothing.
      const said = call.attempt === null ? [] : deltas.filter(({ attempt }) => attempt === call.attempt);
      const usage = estimatedUsage(
        call.inputTokens,
        said.reduce((sum, event) => sum + deltaChars(event.chunk), 0),
      );
      const price = costOf.get(call.model);
      // Of a provider that is gone, only what the prompt cost is known.
      const costUsd = price ? price(usage) : call.costUsd;
      await closeCall(tx, call.id, { usage, costUsd, estimated: true, outcome: "lost" });
    }
    await sumUpTurn(tx, turn.id);
  });
}

/** Longer than any call of a small model may take. */
const FORGOTTEN_AFTER_MINUTES = 10;

/** Settles what no step of a turn will come back to: titles and commit messages whose process died. Never throws. */
export async function sweepLostCalls(deps: Pick<Deps, "db" | "log">): Promise<void> {
  try {
    const calls = await closeForgottenCalls(deps.db, FORGOTTEN_AFTER_MINUTES);
    if (calls > 0) deps.log.info("sweep", { what: "lost calls", calls });
  } catch (error) {
    deps.log.warn("sweep could not act", { what: "lost calls", error: errorText(error) });
  }
}

function deltaChars(chunk: unknown): number {
  if (typeof chunk !== "object" || chunk === null) return 0;
  const text = "delta" in chunk ? chunk.delta : "inputTextDelta" in chunk ? chunk.inputTextDelta : "";
  return typeof text === "string" ? text.length : 0;
}
