/** What the agent did, oldest first, as far as stuck detection looks at it. */
export type AgentAction =
  /** A tool call and its outcome. `input` and `output` are compared as text; the caller passes JSON. */
  | {
      readonly kind: "tool";
      readonly name: string;
      readonly input: string;
      readonly output: string;
      readonly ok: boolean;
    }
  /** A step without a tool call. */
  | { readonly kind: "text"; readonly text: string }
  /** A message or an answer of a person, which starts the count anew. */
  | { readonly kind: "person" }
  /** Where the agent was nudged, which starts the count anew and makes the next finding an `ask`. */
  | { readonly kind: "nudge" };

export type StuckPattern = "same_result" | "same_error" | "alternating" | "monologue";

export type StuckVerdict =
  | { readonly kind: "free" }
  /** Add `words` to the instructions of the next step, and record a `nudge` action. */
  | { readonly kind: "nudge"; readonly pattern: StuckPattern; readonly words: string }
  /** The nudge did not help: let the turn wait for the person with `words` as the question. */
  | { readonly kind: "ask"; readonly pattern: StuckPattern; readonly words: string };

const WINDOW = 20;
const SAME_RESULT = 4;
const SAME_ERROR = 3;
const ALTERNATING = 6;
const MONOLOGUE = 3;

const NUDGE: Readonly<Record<StuckPattern, string>> = {
  same_result:
    "You made the same call several times and it gave the same result each time. It will not change: use what it said, or try another way.",
  same_error:
    "The same call failed several times in the same way. Do not repeat it: find the cause, or try another way.",
  alternating:
    "You are going back and forth between two calls without getting on. Stop, think about what you want to find out, and try another way.",
  monologue:
    "You wrote several answers in a row without doing anything. Take the next step with a tool, or end with your report.",
};

const ASK: Readonly<Record<StuckPattern, string>> = {
  same_result: "I keep making the same call with the same result and do not get on. How should I go on?",
  same_error: "The same call keeps failing, and I found no other way. How should I go on?",
  alternating: "I am going back and forth between the same two calls. How should I go on?",
  monologue: "I keep writing without getting on. How should I go on?",
};

/**
 * Looks at the last 20 actions for an agent that goes in circles (design.md, section 5: nudge, then ask).
 * Only what follows the newest message of a person or nudge counts.
 */
export function decideStuck(actions: readonly AgentAction[]): StuckVerdict {
  const afterPerson = actions.slice(actions.findLastIndex((action) => action.kind === "person") + 1);
  const nudgedAt = afterPerson.findLastIndex((action) => action.kind === "nudge");
  const pattern = findPattern(afterPerson.slice(nudgedAt + 1).slice(-WINDOW));
  if (pattern === null) return { kind: "free" };
  return nudgedAt < 0
    ? { kind: "nudge", pattern, words: NUDGE[pattern] }
    : { kind: "ask", pattern, words: ASK[pattern] };
}

function findPattern(recent: readonly AgentAction[]): StuckPattern | null {
  const keys = recent.map(keyOf);
  const allSame = (n: number) => keys.length >= n && new Set(keys.slice(-n)).size === 1;
  const newest = recent.at(-1);
  if (newest === undefined) return null;
  if (newest.kind === "text") {
    return recent.length >= MONOLOGUE && recent.slice(-MONOLOGUE).every((action) => action.kind === "text")
      ? "monologue"
      : null;
  }
  if (newest.kind === "tool" && !newest.ok && allSame(SAME_ERROR)) return "same_error";
  if (allSame(SAME_RESULT)) return "same_result";
  const last = keys.slice(-ALTERNATING);
  const [a, b] = last;
  const alternates =
    last.length === ALTERNATING && a !== b && last.every((key, index) => key === (index % 2 === 0 ? a : b));
  return alternates ? "alternating" : null;
}

function keyOf(action: AgentAction): string {
  return action.kind === "tool"
    ? JSON.stringify([action.name, action.input, action.ok, action.output])
    : JSON.stringify(action);
}
