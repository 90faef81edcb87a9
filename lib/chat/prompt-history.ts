import { TOOLBOX } from "@/lib/agent/toolbox";
import { err, ok, type Result } from "@/lib/kernel/result";
import { tokensOfPrompt } from "@/lib/model/estimate";
import { type ModelFailure, modelFailure } from "@/lib/model/failure";
import { findCounted } from "@/lib/model/ledger-store";
import type { UsableModel } from "@/lib/model/port";
import {
  applyView,
  type CondensedView,
  charsOf,
  decideCondense,
  NOTHING_CONDENSED,
  toUnits,
  type Unit,
} from "./condense";
import { type CondenseCall, runCondense } from "./condense-service";
import type { ChatMessage } from "./contract";
import { modelHistory } from "./history";
import { withImages } from "./images";
import { loadMessages, readSnapshot } from "./read";
import { findCondensing, listDeliveredMessages } from "./store";

/** What one model step is asked with. */
export interface Prompt {
  readonly instructions: string;
  readonly messages: readonly ChatMessage[];
  readonly chars: number;
  /** An estimate, by what the provider counted before. */
  readonly tokens: number;
}

export interface PromptRequest extends Omit<CondenseCall, "info"> {
  readonly found: UsableModel;
  readonly instructions: string;
}

/** What the tools' schemas take, roughly. */
const TOOL_CHARS = TOOLBOX.reduce((sum, tool) => sum + tool.name.length + tool.description.length + 600, 0);

/**
 * Builds the conversation for a model from our rows, condensed if it would fill more than 80 % of the model's window. A model
 * whose window is unknown is shown everything until it says that it is too much.
 */
export async function loadPrompt(request: PromptRequest): Promise<Result<Prompt, ModelFailure>> {
  const { found, instructions } = request;
  const loaded = await loadUnits(request);
  const windowTokens = found.info.contextTokens;
  let { view } = loaded;
  if (windowTokens !== null) {
    const decision = decideCondense({ ...loaded, windowTokens });
    if (decision.do === "give_up") return err(modelFailure("context_too_long"));
    if (decision.do === "condense") view = (await runCondense({ ...request, info: found.info }, decision.plan)) ?? view;
  }
  const shown = applyView(loaded.units, view);
  const messages = found.info.acceptsImages
    ? await withImages(request.deps, request.turn.sandboxId, shown, request.signal)
    : shown;
  const chars = loaded.fixedChars + messages.reduce((sum, message) => sum + charsOf(message), 0);
  return ok({ instructions, messages, chars, tokens: loaded.tokensOf(chars) });
}

/**
 * Condenses a conversation that the provider found too long, whatever we thought of it.
 * @returns false when nothing more can be left out; true also when it was stopped, which the next step sees
 */
export async function condenseAnyway(request: PromptRequest): Promise<boolean> {
  const loaded = await loadUnits(request);
  const chars = applyView(loaded.units, loaded.view).reduce((sum, message) => sum + charsOf(message), 0);
  // A window that it just does not fit into.
  const windowTokens = loaded.tokensOf(loaded.fixedChars + chars) * 0.9;
  const decision = decideCondense({ ...loaded, windowTokens });
  if (decision.do !== "condense") return false;
  await runCondense({ ...request, info: request.found.info }, decision.plan);
  return true;
}

interface Loaded {
  readonly units: readonly Unit[];
  readonly view: CondensedView;
  readonly fixedChars: number;
  readonly tokensOf: (chars: number) => number;
}

async function loadUnits({ deps, turn, found, instructions }: PromptRequest): Promise<Loaded> {
  const { ref } = found.info;
  const { messages, condensing } = await readSnapshot(deps, async (tx) => ({
    messages: await loadMessages(tx, await listDeliveredMessages(tx, turn.chatId), ref),
    condensing: await findCondensing(tx, turn.chatId),
  }));
  const counted = await findCounted(deps.db, turn.chatId, ref);
  return {
    units: toUnits(modelHistory(messages)),
    view: condensing ?? NOTHING_CONDENSED,
    fixedChars: instructions.length + TOOL_CHARS,
    tokensOf: (chars) => tokensOfPrompt(chars, counted),
  };
}
