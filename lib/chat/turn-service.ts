import type { StuckVerdict } from "@/lib/agent/stuck";
import { findStuck } from "@/lib/agent/stuck-actions";
import { findTool } from "@/lib/agent/toolbox";
import { databaseNow, type Tx } from "@/lib/db/client";
import { END, type Execution, fence, type Next, type RunRef, waitMs, withLease } from "@/lib/db/lease";
import type { Deps } from "@/lib/deps";
import { crashPoint } from "@/lib/kernel/crash-points";
import { errorText } from "@/lib/kernel/log";
import { DEMO_MODEL_REF } from "@/lib/model/contract";
import { totalsOfSession } from "@/lib/model/ledger-store";
import { lockSandbox, patchSandbox } from "@/lib/sandbox/store";
import { closeOpenCalls } from "./answer";
import { beginCall } from "./begin-call";
import { assistantMessageId } from "./history";
import { settleLostCalls } from "./lost-calls";
import { savePartialStep } from "./partial-step";
import { announceMessage, textOf } from "./send";
import { findMessage, findSessionLimits, insertMessage, listTurnMessages, patchMessage, touchSession } from "./store";
import { appendEvents } from "./stream-store";
import { nameAtEnd } from "./title-service";
import { decideTurn, isFinished, type TurnDecision, type TurnEvent, type TurnFacts } from "./turn";
import {
  countSessionSteps,
  findTurn,
  listSteps,
  listToolCalls,
  lockTurn,
  moveTurn,
  type StepRow,
  type ToolCallRow,
  type TurnRow,
} from "./turn-store";
import { tellReason, whyNotYet } from "./waiting";

/** What a turn's step tells its workflow: the kind of step that comes next. */
export type TurnNext = Next | { readonly do: "model" } | { readonly do: "tools" } | { readonly do: "finish" };

/** Executions that may die between two steps before a turn is given up: something in it ends the process each time. */
const MAX_LOST_EXECUTIONS = 8;

export interface TurnProgress {
  readonly turn: TurnRow;
  readonly stuck: StuckVerdict;
  readonly steps: readonly StepRow[];
  readonly calls: readonly ToolCallRow[];
  readonly decision: TurnDecision;
}

/** Reads where a turn is and what comes next. */
export async function readProgress(tx: Tx, turn: TurnRow): Promise<TurnProgress> {
  const steps = await listSteps(tx, [turn.id]);
  const newest = steps.at(-1)?.step;
  const all = newest === undefined ? [] : await listToolCalls(tx, [turn.id]);
  const calls = all.filter((call) => call.step === newest);
  const stuck = stuckIn(turn, steps, all);
  const decision = decideTurn({
    stopRequested: turn.stopRequested,
    stepAllowance: turn.stepAllowance,
    costAllowanceUsd: turn.costAllowanceUsd,
    costUsd: turn.costUsd,
    session: await readSessionLeft(tx, turn.sessionId),
    stuck: stuck.kind === "ask",
    steps,
    calls: calls.map((call) => {
      const tool = findTool(call.name);
      return {
        id: call.id,
        state: call.state,
        readOnly: tool?.readOnly ?? false,
        waitsForPerson: tool?.waitsForPerson ?? false,
      };
    }),
  });
  return { turn, stuck, steps, calls, decision };
}

function stuckIn(turn: TurnRow, steps: readonly StepRow[], calls: readonly ToolCallRow[]): StuckVerdict {
  // The scripted model does what people tell it to; it cannot go in circles of its own.
  if (steps.at(-1)?.model === DEMO_MODEL_REF) return { kind: "free" };
  return findStuck({
    steps: steps.map(({ step, parts }) => ({
      step,
      said: parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
    })),
    calls: calls
      .filter((call) => call.state === "done")
      .map(({ step, name, input, output, ok }) => ({
        ...{ step, name, input, output, ok: ok ?? false },
        byPerson: findTool(name)?.waitsForPerson ?? false,
      })),
    fromStep: turn.stuck.fromStep,
    nudgedBeforeStep: turn.stuck.nudge?.beforeStep ?? null,
  });
}

/** What a session may still use of its own limits; null is no limit. */
async function readSessionLeft(tx: Tx, sessionId: string): Promise<TurnFacts["session"]> {
  const { sessionMaxSteps, sessionMaxCostUsd } = await findSessionLimits(tx, sessionId);
  if (sessionMaxSteps === null && sessionMaxCostUsd === null) return { stepsLeft: null, costLeftUsd: null };
  const { costUsd } = await totalsOfSession(tx, sessionId);
  return {
    stepsLeft: sessionMaxSteps === null ? null : sessionMaxSteps - (await countSessionSteps(tx, sessionId)),
    costLeftUsd: sessionMaxCostUsd === null ? null : sessionMaxCostUsd - (costUsd ?? 0),
  };
}

/** What the workflow does next; a question or a limit pauses the turn right here, in the transaction that saw it. */
export async function nextOf(tx: Tx, progress: TurnProgress, execution: Execution): Promise<TurnNext> {
  const { decision } = progress;
  switch (decision.do) {
    case "model":
    case "tools":
      return { do: decision.do };
    case "finish":
      return { do: "finish" };
    case "ask":
      await pauseTurn(tx, progress, execution);
      return END;
    default:
      return decision satisfies never;
  }
}

const LIMIT_WORDS = {
  steps: "This turn has made as many steps as it may. Send a message to let it go on.",
  money: "This turn has used as much money as it may. Send a message to let it go on.",
  session_steps: "This session has made as many steps as it may. Send a message to let it go on.",
  session_money: "This session has used as much money as it may. Send a message to let it go on.",
} as const;

async function pauseTurn(tx: Tx, { decision, turn, calls, stuck }: TurnProgress, execution: Execution): Promise<void> {
  if (decision.do !== "ask") return;
  if (decision.kind !== "question") {
    const words = decision.kind === "stuck" ? askWords(stuck) : LIMIT_WORDS[decision.kind];
    await moveTurn(tx, turn, "ask", { waiting: { kind: decision.kind }, reason: words });
    await appendEvents(tx, turn.chatId, [
      {
        kind: "notice",
        name: decision.kind === "stuck" ? "stuck" : `limit_${decision.kind}`,
        source: "system",
        turnId: turn.id,
        data: { message: words },
        news: true,
      },
    ]);
    return;
  }
  const call = calls.find((row) => row.id === decision.callId);
  if (!call) return;
  await beginCall(tx, turn, call, execution, null);
  await moveTurn(tx, turn, "ask", {
    waiting: { kind: "question", toolCallId: call.id },
    reason: "Waits for your answer.",
  });
}

function askWords(stuck: StuckVerdict): string {
  return stuck.kind === "ask" ? stuck.words : "I do not get on. How should I go on?";
}

/** Where a turn stands after a step, for an execution that holds it. */
export async function nextAfterFence(tx: Tx, execution: Execution): Promise<TurnNext> {
  const turn = await lockTurn(tx, execution.id);
  return turn?.state === "running" ? nextOf(tx, await readProgress(tx, turn), execution) : END;
}

/**
 * Lets a queued or answered turn begin, if the sandbox is awake and no other turn of the session writes; else says why it
 * waits, and ends the run: the reconciler starts another one when that changes.
 */
export async function claimTurn(deps: Deps, ref: RunRef): Promise<TurnNext> {
  return withLease<TurnNext>(deps.db, "turns", ref, deps.owner, async (execution) => {
    await settleLostCalls(deps, execution);
    const next = await deps.db.transaction(async (tx): Promise<TurnNext> => {
      const seen = await findTurn(tx, ref.id);
      const sandbox = seen ? await lockSandbox(tx, seen.sandboxId) : null;
      await fence(tx, execution);
      const turn = await findTurn(tx, ref.id);
      if (!turn || !sandbox || isFinished(turn.state)) return END;
      if (turn.state === "running") return resumeTurn(tx, turn, execution);
      if (turn.waiting !== null) return END;
      const why = await whyNotYet(tx, turn, sandbox.state);
      if (why) {
        if (turn.reason !== why) await tellReason(tx, turn, why);
        return END;
      }
      const begun = await moveTurn(tx, turn, "begin", { failures: 0, retryAt: null });
      if (!begun) return END;
      await deliverMessages(tx, begun);
      return nextOf(tx, await readProgress(tx, begun), execution);
    });
    crashPoint("turn.after-claim");
    return next;
  });
}

async function resumeTurn(tx: Tx, turn: TurnRow, execution: Execution): Promise<TurnNext> {
  const progress = await readProgress(tx, turn);
  if (execution.lost > MAX_LOST_EXECUTIONS) {
    await endTurn(
      tx,
      turn,
      "interrupt",
      "The app was restarted again and again while this step ran. Send a message to go on from here.",
    );
    return END;
  }
  const pauseMs = turn.retryAt ? turn.retryAt.getTime() - (await databaseNow(tx)).getTime() : 0;
  if (pauseMs > 0 && !turn.stopRequested) return waitMs(pauseMs);
  return nextOf(tx, progress, execution);
}

/** Queued messages become part of the conversation, followed by the (still empty) answer. */
async function deliverMessages(tx: Tx, turn: TurnRow): Promise<void> {
  for (const message of await listTurnMessages(tx, turn.id, "queued")) {
    await patchMessage(tx, turn.chatId, message.id, { status: "delivered" });
    await announceMessage(tx, { ...message, status: "delivered" }, textOf(message));
  }
  const id = assistantMessageId(turn.id);
  if (await findMessage(tx, turn.chatId, id)) return;
  await insertMessage(tx, { chatId: turn.chatId, id, role: "assistant", turnId: turn.id, status: "delivered" });
}

/**
 * Ends a running turn: keeps what was said, gives every open tool call its outcome, frees the write slot. Calls of models were
 * settled before (`settleLostCalls`).
 */
export async function endTurn(
  tx: Tx,
  turn: TurnRow,
  event: Exclude<TurnEvent, "begin" | "ask">,
  reason: string | null,
): Promise<void> {
  await savePartialStep(tx, turn, event);
  if (event !== "complete") await closeOpenCalls(tx, turn, event === "interrupt" ? "interrupted" : "stopped");
  await moveTurn(tx, turn, event, { reason });
  await patchSandbox(tx, turn.sandboxId, { touchActivity: true });
  await touchSession(tx, turn.sessionId);
}

/** The last step of a turn that came to its end or was stopped. */
export async function finishTurn(
  deps: Deps,
  ref: RunRef,
  afterwards: (turn: TurnRow) => Promise<void>,
): Promise<TurnNext> {
  return withLease<TurnNext>(deps.db, "turns", ref, deps.owner, async (execution) => {
    crashPoint("turn.before-finish");
    await settleLostCalls(deps, execution);
    const turn = await findTurn(deps.db, ref.id);
    if (turn?.state !== "running") return END;
    await deps.db.transaction(async (tx) => {
      await lockSandbox(tx, turn.sandboxId);
      await fence(tx, execution);
      const now = await lockTurn(tx, ref.id);
      if (now?.state !== "running") return;
      const { decision } = await readProgress(tx, now);
      if (decision.do !== "finish") return;
      await endTurn(tx, now, decision.event, decision.event === "stop" ? "Stopped." : null);
    });
    crashPoint("turn.after-finish");
    // Not before: a person who pressed Stop must not wait for a diff.
    await afterwards(turn).catch((error: unknown) =>
      deps.log.warn("facts could not be read", { error: errorText(error) }),
    );
    await nameAtEnd(deps, turn);
    return END;
  });
}
