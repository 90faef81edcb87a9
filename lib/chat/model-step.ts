import { type ModelStep, runModelStep } from "@/lib/agent/run-step";
import { LEASE_LOST } from "@/lib/agent/tool";
import { TOOLBOX } from "@/lib/agent/toolbox";
import type { Tx } from "@/lib/db/client";
import { END, type Execution, fence, LeaseLost, type RunRef, withLease } from "@/lib/db/lease";
import type { Deps } from "@/lib/deps";
import { crashPoint } from "@/lib/kernel/crash-points";
import { orAborted } from "@/lib/kernel/retry";
import { modelFailure } from "@/lib/model/failure";
import { lockSandbox } from "@/lib/sandbox/store";
import { ChunkWriter } from "./chunk-writer";
import { settleLostCalls } from "./lost-calls";
import { condenseAnyway, loadPrompt, type Prompt, type PromptRequest } from "./prompt-history";
import { saveStep } from "./save-step";
import { failTurn, onFailure } from "./step-failure";
import { closeStepCall, openStepCall } from "./step-usage";
import { watchStop } from "./stop-signal";
import { findChat, findChatOwner } from "./store";
import { appendEvents, readDeltas } from "./stream-store";
import { nudgeIfStuck } from "./stuck-step";
import { MODEL_TRIES } from "./turn";
import { nextAfterFence, readProgress, type TurnNext } from "./turn-service";
import { findTurn, patchTurn, type TurnRow } from "./turn-store";

/** What the model is told besides the conversation; made by the session that the turn belongs to. */
export type Instructions = (turn: TurnRow) => Promise<string>;

/** Asks the model once and stores what it said: one step of the turn (design.md, section 5). */
export async function runModelTurnStep(deps: Deps, ref: RunRef, instructions: Instructions): Promise<TurnNext> {
  return withLease<TurnNext>(deps.db, "turns", ref, deps.owner, async (execution) => {
    await settleLostCalls(deps, execution);
    const turn = await findTurn(deps.db, ref.id);
    if (turn?.state !== "running") return END;
    const progress = await deps.db.transaction((tx) => readProgress(tx, turn));
    if (progress.decision.do !== "model")
      return deps.db.transaction(async (tx) => {
        await lockSandbox(tx, turn.sandboxId);
        await fence(tx, execution);
        return nextAfterFence(tx, execution);
      });
    const [chat, userId] = await Promise.all([findChat(deps.db, turn.chatId), findChatOwner(deps.db, turn.chatId)]);
    const found = chat && userId ? await deps.models.find(userId, chat.model) : null;
    if (!chat || !userId || !found)
      return failTurn(
        deps,
        execution,
        modelFailure("config", { message: `No configured provider has the model ${chat?.model ?? ""}.` }),
      );

    await announceNewAttempt(deps, execution, turn, progress.steps.at(-1)?.seq ?? 0);
    const stop = watchStop(deps, execution);
    try {
      const nudge = await nudgeIfStuck(deps, execution, progress);
      // What cannot be read from a sandbox that does not answer must not keep Stop waiting.
      const told = (await orAborted(instructions(turn), stop.signal)) ?? "";
      const said = nudge === null ? told : `${told}\n\n# Notice\n${nudge}`;
      const request = { deps, execution, turn, userId, found, instructions: said, signal: stop.signal };
      const prompt = await loadPrompt(request);
      if (stop.signal.reason === LEASE_LOST) throw new LeaseLost();
      // Stopped before anything was asked: nothing is spent.
      if (stop.signal.aborted) return { do: "finish" };
      if (!prompt.ok) return await onFailure(deps, execution, turn, prompt.error);
      return await askModel(request, progress.decision.step, prompt.value);
    } finally {
      stop.close();
    }
  });
}

/** One call of the model: written down before it is made, streamed, and stored with what it cost. */
async function askModel(request: PromptRequest, index: number, prompt: Prompt): Promise<TurnNext> {
  const { deps, execution, turn, userId, found, signal } = request;
  const call = await openStepCall(deps, execution, turn, index, userId, found, prompt);
  const writer = new ChunkWriter(deps.db, execution, { chatId: turn.chatId, turnId: turn.id }, () =>
    crashPoint("turn.mid-stream"),
  );
  const step: ModelStep = await runModelStep({
    model: found.model,
    instructions: prompt.instructions,
    messages: prompt.messages,
    tools: TOOLBOX,
    signal,
    onChunk: (chunk) => writer.push(chunk),
    cacheKey: turn.chatId,
  });
  if (signal.reason === LEASE_LOST) throw new LeaseLost();
  await writer.close();
  crashPoint("turn.before-step-commit");
  const account = (tx: Tx) => closeStepCall(tx, turn, call, found, step);
  if (step.failure?.class === "context_too_long" && turn.failures < MODEL_TRIES && (await condenseAnyway(request)))
    return askAgain(deps, execution, turn, account);
  const next = step.failure
    ? await onFailure(deps, execution, turn, step.failure, account)
    : await deps.db.transaction((tx) => saveStep(tx, execution, { step, index, found, call, prompt }));
  crashPoint("turn.after-step-commit");
  return next;
}

/** What the provider found too long has been condensed: the step is made again at once, and counts as a failed try. */
async function askAgain(
  deps: Deps,
  execution: Execution,
  turn: TurnRow,
  account: (tx: Tx) => Promise<unknown>,
): Promise<TurnNext> {
  await deps.db.transaction(async (tx) => {
    await fence(tx, execution);
    await account(tx);
    await patchTurn(tx, turn.id, { failures: turn.failures + 1 });
  });
  return { do: "model" };
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
