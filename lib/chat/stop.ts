import type { Tx } from "@/lib/db/client";
import type { Deps } from "@/lib/deps";
import type { AppError } from "@/lib/kernel/errors";
import { err, ok, type Result } from "@/lib/kernel/result";
import { patchSandbox } from "@/lib/sandbox/store";
import { lockOwnedChat, NO_CHAT } from "./access";
import { closeOpenCalls } from "./answer";
import type { TurnView } from "./contract";
import { announceMessage, textOf } from "./send";
import { listTurnMessages, patchMessage } from "./store";
import { findNewestTurn, listUnfinished, lockTurn, moveTurn, patchTurn, type TurnRow, toTurnView } from "./turn-store";

/**
 * Stops what the chat is doing (design.md, section 5): a running turn gets a flag that its step sees at once, a waiting or
 * queued one ends here. Idempotent; answers the turn concerned, or the newest one when there is nothing to stop.
 */
export async function stopTurn(
  deps: Deps,
  userId: string,
  chatId: string,
): Promise<Result<{ turn: TurnView | null }, AppError>> {
  return deps.db.transaction(async (tx) => {
    const owned = await lockOwnedChat(tx, userId, chatId);
    if (!owned.ok) return owned;
    const [active] = await listUnfinished(tx, chatId);
    if (!active) {
      const last = await findNewestTurn(tx, chatId);
      return ok({ turn: last ? toTurnView(last) : null });
    }
    const turn = await lockTurn(tx, active.id);
    if (!turn) return err(NO_CHAT);
    const stopped = await requestStop(tx, turn, "Stopped.");
    if (turn.state !== "running") await patchSandbox(tx, turn.sandboxId, { touchActivity: true });
    return ok({ turn: toTurnView(stopped) });
  });
}

/** Ends a turn that does not run, or flags one that does; the row must be locked. */
export async function requestStop(tx: Tx, turn: TurnRow, reason: string): Promise<TurnRow> {
  if (turn.state === "running") {
    if (!turn.stopRequested) await patchTurn(tx, turn.id, { stopRequested: true, reason });
    return { ...turn, stopRequested: true };
  }
  if (turn.state === "queued") {
    for (const message of await listTurnMessages(tx, turn.id, "queued")) {
      await patchMessage(tx, turn.chatId, message.id, { status: "delivered" });
      await announceMessage(tx, { ...message, status: "delivered" }, textOf(message));
    }
  }
  await closeOpenCalls(tx, turn, "stopped");
  return (await moveTurn(tx, turn, "stop", { reason, stopRequested: true })) ?? turn;
}
