import type { ChatMessage } from "./contract";

/** One message of a person, or one step of an answer with the outcomes of its calls: what is kept or left out as a whole. */
export interface Unit {
  readonly key: string;
  readonly message: ChatMessage;
}

/** What a model is shown of a conversation that is too long for it; `NOTHING_CONDENSED` shows all of it. */
export interface CondensedView {
  /** Key of the first unit after the gap that follows the first four; null: there is no gap. */
  readonly resumeAt: string | null;
  /** Key of the first unit whose tool output stays whole; null: all of it does. */
  readonly wholeFrom: string | null;
  /** Of what the gap leaves out. */
  readonly summary: string | null;
}
export const NOTHING_CONDENSED: CondensedView = { resumeAt: null, wholeFrom: null, summary: null };

export const CONDENSE_STAGES = ["window", "tool_output", "summary"] as const;
export type CondenseStage = (typeof CONDENSE_STAGES)[number];

/** The first messages hold the task and stay for ever. */
export const KEPT_FIRST = 4;
const KEPT_LAST = 2;
const WHOLE_OUTPUTS = 2;
const LONG_OUTPUT_CHARS = 2_000;
const OUTPUT_HEAD_CHARS = 1_000;
const OUTPUT_TAIL_CHARS = 500;
/** Condensing starts above this part of the window. */
export const CONDENSE_ABOVE = 0.8;
/** The newest units that stay may fill this part of it. */
const RECENT_SHARE = 0.3;
/** Less than this is no progress, and trying again would be endless. */
const MIN_PROGRESS = 0.1;
/** What an image counts for, whatever its bytes. */
const IMAGE_CHARS = 6_000;

/** Cuts a conversation into units. Keys stay the same while it grows, since steps are only ever added. */
export function toUnits(messages: readonly ChatMessage[]): Unit[] {
  const stepsOf = new Map<string, number>();
  return messages.flatMap((message) => {
    if (message.role === "user") return [{ key: `m:${message.id}`, message }];
    const turnId = message.metadata?.turnId ?? message.id;
    return splitSteps(message).map((part) => {
      const step = stepsOf.get(turnId) ?? 0;
      stepsOf.set(turnId, step + 1);
      return { key: `s:${turnId}:${step}`, message: part };
    });
  });
}

function splitSteps(message: ChatMessage): ChatMessage[] {
  const starts = message.parts.flatMap((part, index) => (part.type === "step-start" || index === 0 ? [index] : []));
  return starts.map((from, index) => ({
    ...message,
    id: `${message.id}#${index}`,
    parts: message.parts.slice(from, starts[index + 1]),
  }));
}

export function charsOf(message: Pick<ChatMessage, "parts">): number {
  return message.parts.reduce(
    (sum, part) => sum + (part.type === "file" ? IMAGE_CHARS : JSON.stringify(part).length),
    0,
  );
}

/** The units between the first four and where a view goes on: all of them belong into its summary. */
function gapOf(units: readonly Unit[], view: CondensedView): readonly Unit[] {
  const end = view.resumeAt === null ? -1 : units.findIndex((unit) => unit.key === view.resumeAt);
  return units.slice(KEPT_FIRST, Math.max(KEPT_FIRST, end));
}

/** What is left out by a view: its gap, without the newest message of a person, which stays until there is a newer one. */
function leftOut(units: readonly Unit[], view: CondensedView): readonly Unit[] {
  const newestPerson = units.findLast((unit) => unit.message.role === "user");
  return gapOf(units, view).filter((unit) => unit !== newestPerson);
}

/** The conversation as the model is shown it. */
export function applyView(units: readonly Unit[], view: CondensedView): ChatMessage[] {
  const gone = new Set(leftOut(units, view));
  const wholeFrom = view.wholeFrom === null ? 0 : units.findIndex((unit) => unit.key === view.wholeFrom);
  const shown = units.flatMap((unit, index) => {
    if (gone.has(unit)) return [];
    return [{ index, message: index < wholeFrom ? shorten(unit.message) : unit.message }];
  });
  if (gone.size === 0) return shown.map(({ message }) => message);
  const at = shown.findIndex(({ index }) => index >= KEPT_FIRST);
  const messages = shown.map(({ message }) => message);
  messages.splice(at < 0 ? messages.length : at, 0, gapNote(gone.size, view.summary));
  return messages;
}

function gapNote(count: number, summary: string | null): ChatMessage {
  const head = `[Note of Dormouse: ${count} earlier messages and steps are left out here, to fit into your context.`;
  const text = summary === null ? `${head}]` : `${head} This is a summary of them.]\n\n${summary}`;
  return { id: "gap", role: "user", parts: [{ type: "text", text }] };
}

function shorten(message: ChatMessage): ChatMessage {
  const parts = message.parts.map((part) => {
    if (!("output" in part) || part.output === undefined) return part;
    const text = JSON.stringify(part.output);
    if (text.length <= LONG_OUTPUT_CHARS) return part;
    const cut = text.length - OUTPUT_HEAD_CHARS - OUTPUT_TAIL_CHARS;
    const shortened = `${text.slice(0, OUTPUT_HEAD_CHARS)} … [${cut} characters left out by Dormouse] … ${text.slice(-OUTPUT_TAIL_CHARS)}`;
    return { ...part, output: { shortened } } as typeof part;
  });
  return { ...message, parts };
}

export interface CondenseInput {
  readonly units: readonly Unit[];
  readonly view: CondensedView;
  /** Instructions and tools, which are always there. */
  readonly fixedChars: number;
  readonly windowTokens: number;
  readonly tokensOf: (chars: number) => number;
}

export interface CondensePlan {
  /** In this order; only those that have something to do. */
  readonly stages: readonly CondenseStage[];
  /** Still with the summary from before. */
  readonly view: CondensedView;
  /**
   * What the gap has more than before: to be summarised. Also a person's newest message in it, which is still shown: with the
   * next message it drops out, and nobody makes a summary then.
   */
  readonly toSummarise: readonly Unit[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

export type CondenseDecision =
  | { readonly do: "nothing"; readonly tokens: number }
  | { readonly do: "condense"; readonly plan: CondensePlan }
  /** It is too long, and condensing again would not make it shorter. */
  | { readonly do: "give_up"; readonly tokens: number };

/** Whether a conversation has to be condensed before the next step, and how. Pure. */
export function decideCondense(input: CondenseInput): CondenseDecision {
  const sizeOf = (view: CondensedView) =>
    input.tokensOf(input.fixedChars + applyView(input.units, view).reduce((sum, message) => sum + charsOf(message), 0));
  const tokensBefore = sizeOf(input.view);
  if (tokensBefore <= input.windowTokens * CONDENSE_ABOVE) return { do: "nothing", tokens: tokensBefore };

  for (const recentShare of [RECENT_SHARE, 0]) {
    const resumeAt = moveWindow(input, recentShare);
    const windowed = { ...input.view, resumeAt };
    const view = { ...windowed, wholeFrom: moveWhole(input.units, windowed) };
    const tokensAfter = sizeOf(view);
    const enough = tokensAfter <= input.windowTokens * CONDENSE_ABOVE;
    if (!enough && recentShare > 0) continue;
    if (tokensAfter > tokensBefore * (1 - MIN_PROGRESS)) break;
    const before = new Set(gapOf(input.units, input.view));
    const toSummarise = gapOf(input.units, view).filter((unit) => !before.has(unit));
    const stages: CondenseStage[] = [];
    if (toSummarise.length > 0) stages.push("window");
    if (tokensAfter < sizeOf(windowed)) stages.push("tool_output");
    if (toSummarise.length > 0) stages.push("summary");
    return { do: "condense", plan: { stages, view, toSummarise, tokensBefore, tokensAfter } };
  }
  return tokensBefore > input.windowTokens
    ? { do: "give_up", tokens: tokensBefore }
    : { do: "nothing", tokens: tokensBefore };
}

/** Where the newest units begin that stay: as many as fit into a share of the window, two at least. It never moves back. */
function moveWindow({ units, view, windowTokens, tokensOf }: CondenseInput, recentShare: number): string | null {
  let chars = 0;
  let from = units.length;
  while (from > KEPT_FIRST) {
    const unit = units[from - 1];
    if (!unit) break;
    chars += charsOf(shorten(unit.message));
    if (units.length - from >= KEPT_LAST && tokensOf(chars) > windowTokens * recentShare) break;
    from -= 1;
  }
  const before = view.resumeAt === null ? -1 : units.findIndex((unit) => unit.key === view.resumeAt);
  const at = Math.max(from, before);
  return at <= KEPT_FIRST ? view.resumeAt : (units[at]?.key ?? view.resumeAt);
}

/** Where tool output begins that stays whole: the last two. */
function moveWhole(units: readonly Unit[], view: CondensedView): string | null {
  let outputs = 0;
  for (let index = units.length - 1; index >= 0; index--) {
    outputs += units[index]?.message.parts.filter((part) => "output" in part && part.output !== undefined).length ?? 0;
    if (outputs >= WHOLE_OUTPUTS) return units[index]?.key ?? view.wholeFrom;
  }
  return view.wholeFrom;
}
