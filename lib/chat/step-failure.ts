import type { Tx } from "@/lib/db/client";
import { END, type Execution, fence, waitMs } from "@/lib/db/lease";
import { dbIn } from "@/lib/db/time";
import type { Deps } from "@/lib/deps";
import { backoffMs } from "@/lib/kernel/retry";
import type { ModelFailure } from "@/lib/model/failure";
import { lockSandbox } from "@/lib/sandbox/store";
import { appendEvents } from "./stream-store";
import { MODEL_TRIES } from "./turn";
import { endTurn, type TurnNext } from "./turn-service";
import { findTurn, lockTurn, patchTurn, type TurnRow } from "./turn-store";

/** A provider that asks for more patience than this is as good as down: the person is told instead. */
const LONGEST_WAIT_MS = 10 * 60_000;

/**
 * A stopped step goes on to the end of the turn, one that may help itself is tried again, the rest fails the turn. `account`
 * writes down what the try has cost, in the same transaction.
 */
export async function onFailure(
  deps: Deps,
  execution: Execution,
  turn: TurnRow,
  failure: ModelFailure,
  account: (tx: Tx) => Promise<unknown> = async () => {},
): Promise<TurnNext> {
  if (failure.class === "stopped") {
    await deps.db.transaction(async (tx) => {
      await fence(tx, execution);
      await account(tx);
    });
    return { do: "finish" };
  }
  const failures = turn.failures + 1;
  const pauseMs = failure.retryAfterMs ?? backoffMs(failures, 1_000, 30_000, Math.random());
  if (!failure.retryable || failures >= MODEL_TRIES || pauseMs > LONGEST_WAIT_MS)
    return failTurn(deps, execution, failure, account);
  await deps.db.transaction(async (tx) => {
    await fence(tx, execution);
    await account(tx);
    await patchTurn(tx, turn.id, { failures, retryAt: dbIn(pauseMs) });
    await appendEvents(tx, turn.chatId, [
      {
        kind: "notice",
        name: "retrying",
        source: "system",
        turnId: turn.id,
        attempt: execution.attempt,
        data: {
          message: `${failure.message} Trying again (${failures + 1} of ${MODEL_TRIES}).`,
          class: failure.class,
          try: failures + 1,
          tries: MODEL_TRIES,
          retryInMs: pauseMs,
        },
      },
    ]);
  });
  return waitMs(pauseMs);
}

/** Ends the turn with what went wrong and what the person can do. */
export async function failTurn(
  deps: Deps,
  execution: Execution,
  failure: ModelFailure,
  account: (tx: Tx) => Promise<unknown> = async () => {},
): Promise<TurnNext> {
  const message = failure.advice === "" ? failure.message : `${failure.message} ${failure.advice}`;
  await deps.db.transaction(async (tx) => {
    const seen = await findTurn(tx, execution.id);
    if (!seen) return;
    await lockSandbox(tx, seen.sandboxId);
    await fence(tx, execution);
    await account(tx);
    const turn = await lockTurn(tx, execution.id);
    if (turn?.state !== "running") return;
    await appendEvents(tx, turn.chatId, [
      {
        kind: "notice",
        name: "turn_failed",
        source: "system",
        turnId: turn.id,
        data: { message, class: failure.class, advice: failure.advice },
        news: true,
      },
    ]);
    await endTurn(tx, turn, "fail", message);
  });
  return END;
}
