import type { Tx } from "@/lib/db/client";
import { totalsOfSession } from "@/lib/model/ledger-store";
import { findSessionLimits, patchSessionLimits } from "./store";
import { appendEvents, findSessionNotice } from "./stream-store";
import { DEFAULT_MAX_STEPS, type TurnLimits } from "./turn";
import { countSessionSteps, listSteps, patchTurn, type TurnRow } from "./turn-store";

/** A person spoke: what the agent did before does not count as going in circles any more. */
export async function afterPerson(tx: Tx, turn: TurnRow): Promise<TurnRow["stuck"]> {
  return { fromStep: (await listSteps(tx, [turn.id])).length, nudge: null };
}

/**
 * A person said go on to a turn that paused: at a limit it gets as much again, and the same amount each time. A limit of the
 * session grows by what one turn may use; money, where turns have no limit, by what the person gave the session.
 */
export async function continueTurn(tx: Tx, turn: TurnRow, limits: TurnLimits): Promise<void> {
  const steps = limits.maxSteps ?? DEFAULT_MAX_STEPS;
  if (turn.waiting?.kind === "session_steps")
    await patchSessionLimits(tx, turn.sessionId, {
      sessionMaxSteps: (await countSessionSteps(tx, turn.sessionId)) + steps,
    });
  if (turn.waiting?.kind === "session_money") await raiseSessionMoney(tx, turn, limits.maxCostUsd);
  await patchTurn(tx, turn.id, {
    waiting: null,
    reason: "Goes on.",
    stuck: await afterPerson(tx, turn),
    ...(turn.waiting?.kind === "steps" ? { stepAllowance: turn.stepAllowance + steps } : {}),
    ...(turn.waiting?.kind === "money" ? { costAllowanceUsd: (turn.costUsd ?? 0) + (limits.maxCostUsd || 1) } : {}),
  });
}

/**
 * The new limit takes the place of the person's own figure, so the notice that tells it also keeps the amount: as long as the
 * limit is still what the last go-on made it, the same is added again.
 */
async function raiseSessionMoney(tx: Tx, turn: TurnRow, turnMaxCostUsd: number | null): Promise<void> {
  const { sessionMaxCostUsd } = await findSessionLimits(tx, turn.sessionId);
  const spent = (await totalsOfSession(tx, turn.sessionId)).costUsd ?? 0;
  const last = await findSessionNotice(tx, turn.sessionId, RAISED);
  const before = last?.toUsd === sessionMaxCostUsd && typeof last?.byUsd === "number" ? last.byUsd : sessionMaxCostUsd;
  const byUsd = turnMaxCostUsd || before || 1;
  const toUsd = spent + byUsd;
  await patchSessionLimits(tx, turn.sessionId, { sessionMaxCostUsd: toUsd });
  await appendEvents(tx, turn.chatId, [
    {
      kind: "notice",
      name: RAISED,
      source: "system",
      turnId: turn.id,
      data: { message: `This session may now use $${toUsd.toFixed(2)} in all.`, byUsd, toUsd },
    },
  ]);
}

const RAISED = "session_money_raised";

/**
 * Gives an unfinished turn the session's new limits. One that waits at a limit begins again, and asks again at once if it is
 * still at one.
 * @returns whether it waited at a limit
 */
export async function applyLimits(
  tx: Tx,
  turn: TurnRow,
  limits: { readonly maxSteps?: number | null | undefined; readonly maxCostUsd?: number | null | undefined },
): Promise<boolean> {
  const atLimit = turn.waiting !== null && turn.waiting.kind !== "question" && turn.waiting.kind !== "stuck";
  await patchTurn(tx, turn.id, {
    ...(limits.maxSteps === undefined ? {} : { stepAllowance: limits.maxSteps ?? DEFAULT_MAX_STEPS }),
    ...(limits.maxCostUsd === undefined ? {} : { costAllowanceUsd: limits.maxCostUsd }),
    ...(atLimit ? { waiting: null, reason: "Goes on with the new limit." } : {}),
  });
  return atLimit;
}
