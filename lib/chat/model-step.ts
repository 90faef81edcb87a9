import { type ModelStep, runModelStep } from "@/lib/agent/run-step";
import { LEASE_LOST } from "@/lib/agent/tool";
import { TOOLBOX } from "@/lib/agent/toolbox";
import type { Tx } from "@/lib/db/client";
import { END, type Execution, fence, LeaseLost, type RunRef, waitMs, withLease } from "@/lib/db/lease";
import { dbIn } from "@/lib/db/time";
import type { Deps } from "@/lib/deps";
import { crashPoint } from "@/lib/kernel/crash-points";
import { backoffMs, orAborted } from "@/lib/kernel/retry";
import { costOfStep } from "@/lib/model/cost";
import type { ModelFailure } from "@/lib/model/failure";
import type { ModelInfo } from "@/lib/model/port";
import { lockSandbox } from "@/lib/sandbox/store";
import { agentMessageEvents } from "./agent-message";
import { settleCall } from "./answer";
import { beginCall } from "./begin-call";
import { ChunkWriter } from "./chunk-writer";
import { modelHistory } from "./history";
import { loadMessages, readSnapshot } from "./read";
import { watchStop } from "./stop-signal";
import { findChat, listDeliveredMessages } from "./store";
import { appendEvents, lastSeq, readDeltas } from "./stream-store";
import { MODEL_TRIES } from "./turn";
import { endTurn, nextOf, readProgress, type TurnNext } from "./turn-service";
import { findTurn, insertStep, insertToolCalls, listToolCalls, lockTurn, patchTurn, type TurnRow } from "./turn-store";

/** What the model is told besides the conversation; made by the session that the turn belongs to. */
export type Instructions = (turn: TurnRow) => Promise<string>;

/** Asks the model once and stores what it said: one step of the turn (design.md, section 5). */
export async function runModelTurnStep(deps: Deps, ref: RunRef, instructions: Instructions): Promise<TurnNext> {
  return withLease<TurnNext>(deps.db, "turns", ref, deps.owner, async (execution) => {
    const turn = await findTurn(deps.db, ref.id);
    if (turn?.state !== "running") return END;
    const progress = await deps.db.transaction((tx) => readProgress(tx, turn));
    if (progress.decision.do !== "model")
      return deps.db.transaction(async (tx) => {
        await lockSandbox(tx, turn.sandboxId);
        await fence(tx, execution);
        return nextAfterFence(tx, execution);
      });
    const chat = await findChat(deps.db, turn.chatId);
    const found = chat ? deps.models.find(chat.model) : null;
    if (!chat || !found)
      return failTurn(
        deps,
        execution,
        `No configured provider knows the model ${chat?.model ?? ""}. Choose another one and send a message.`,
      );

    await announceNewAttempt(deps, execution, turn, progress.steps.at(-1)?.seq ?? 0);
    const history = await readSnapshot(deps, async (tx) =>
      modelHistory(await loadMessages(tx, await listDeliveredMessages(tx, turn.chatId))),
    );
    const stop = watchStop(deps, execution);
    const writer = new ChunkWriter(deps.db, execution, { chatId: turn.chatId, turnId: turn.id }, () =>
      crashPoint("turn.mid-stream"),
    );
    let step: ModelStep;
    try {
      step = await runModelStep({
        model: found.model,
        // What cannot be read from a sandbox that does not answer must not keep Stop waiting.
        instructions: (await orAborted(instructions(turn), stop.signal)) ?? "",
        messages: history,
        tools: TOOLBOX,
        signal: stop.signal,
        onChunk: (chunk) => writer.push(chunk),
        maxRetries: 0,
      });
      if (stop.signal.reason === LEASE_LOST) throw new LeaseLost();
      await writer.close();
    } finally {
      stop.close();
    }
    crashPoint("turn.before-step-commit");
    const next = step.failure
      ? await onFailure(deps, execution, turn, step.failure)
      : await deps.db.transaction((tx) =>
          saveStep(tx, execution, step, progress.decision.do === "model" ? progress.decision.step : 0, found.info),
        );
    crashPoint("turn.after-step-commit");
    return next;
  });
}

/** A second attempt of a step begins anew: readers drop what the first one said. */
async function announceNewAttempt(deps: Deps, execution: Execution, turn: TurnRow, after: number): Promise<void> {
  const said = await readDeltas(deps.db, turn.chatId, turn.id, after);
  const last = said.filter((event) => event.name === "reset-step" || isOfStep(event.chunk)).at(-1);
  if (!last || last.name === "reset-step") return;
  await deps.db.transaction(async (tx) => {
    await fence(tx, execution);
    await appendEvents(tx, turn.chatId, [
      {
        kind: "delta",
        name: "reset-step",
        source: "system",
        turnId: turn.id,
        attempt: execution.attempt,
        data: { message: "The step starts again." },
      },
    ]);
  });
}

function isOfStep(chunk: unknown): boolean {
  if (typeof chunk !== "object" || chunk === null || !("type" in chunk)) return false;
  return !String(chunk.type).startsWith("tool-output") && !String(chunk.type).startsWith("data-");
}

async function saveStep(
  tx: Tx,
  execution: Execution,
  step: ModelStep,
  index: number,
  info: ModelInfo,
): Promise<TurnNext> {
  const seen = await findTurn(tx, execution.id);
  if (!seen) return END;
  await lockSandbox(tx, seen.sandboxId);
  await fence(tx, execution);
  const costUsd = costOfStep(step.usage, info.price);
  await insertStep(tx, {
    turnId: seen.id,
    step: index,
    parts: step.parts,
    finishReason: step.finishReason ?? "stop",
    usage: step.usage,
    costUsd,
    model: info.ref,
    attempt: execution.attempt,
    seq: await lastSeq(tx, seen.chatId),
  });
  await appendEvents(tx, seen.chatId, agentMessageEvents(seen, execution.attempt, step.parts));
  await insertToolCalls(
    tx,
    step.toolCalls.map((call, position) => ({
      turnId: seen.id,
      id: call.toolCallId,
      step: index,
      position,
      name: call.toolName,
      input: call.input,
    })),
  );
  await patchTurn(tx, seen.id, {
    failures: 0,
    lost: 0,
    retryAt: null,
    reason: null,
    ...(costUsd === null ? {} : { costUsd: (seen.costUsd ?? 0) + costUsd }),
  });
  if (step.usage) {
    await appendEvents(tx, seen.chatId, [
      {
        kind: "state",
        name: "usage",
        source: "system",
        turnId: seen.id,
        data: { usage: step.usage, costUsd, model: info.ref },
      },
    ]);
  }
  for (const invalid of step.toolCalls.filter((call) => call.invalid !== undefined)) {
    const row = (await listToolCalls(tx, [seen.id])).find((call) => call.id === invalid.toolCallId);
    if (row)
      await settleCall(tx, seen, await beginCall(tx, seen, row, execution, null), false, {
        error: "invalid_call",
        message: invalid.invalid ?? "",
      });
  }
  return nextAfterFence(tx, execution);
}

async function nextAfterFence(tx: Tx, execution: Execution): Promise<TurnNext> {
  const turn = await lockTurn(tx, execution.id);
  return turn?.state === "running" ? nextOf(tx, await readProgress(tx, turn), execution) : END;
}

/** A stopped step goes on to the end of the turn, one that may help itself is tried again, the rest fails the turn. */
async function onFailure(deps: Deps, execution: Execution, turn: TurnRow, failure: ModelFailure): Promise<TurnNext> {
  if (failure.class === "stopped") return { do: "finish" };
  const failures = turn.failures + 1;
  if (!failure.retryable || failures >= MODEL_TRIES) return failTurn(deps, execution, failure.message, failure.class);
  const pauseMs = failure.retryAfterMs ?? backoffMs(failures, 1_000, 30_000, Math.random());
  await deps.db.transaction(async (tx) => {
    await fence(tx, execution);
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

async function failTurn(deps: Deps, execution: Execution, message: string, failureClass = "config"): Promise<TurnNext> {
  await deps.db.transaction(async (tx) => {
    const seen = await findTurn(tx, execution.id);
    if (!seen) return;
    await lockSandbox(tx, seen.sandboxId);
    await fence(tx, execution);
    const turn = await lockTurn(tx, execution.id);
    if (turn?.state !== "running") return;
    await appendEvents(tx, turn.chatId, [
      {
        kind: "notice",
        name: "turn_failed",
        source: "system",
        turnId: turn.id,
        data: { message, class: failureClass },
        news: true,
      },
    ]);
    await endTurn(tx, turn, "fail", message);
  });
  return END;
}
