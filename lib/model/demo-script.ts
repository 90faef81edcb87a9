/**
 * The script of the demo model: what a user message asks for, as steps (api.md, "The demo model"). Pure, so that the
 * model can be asked for any step again and again and always gives the same answer.
 */

export type DemoFailure = "overloaded" | "rate-limit" | "cut" | "auth";

/** What one step streams, in order. */
export type DemoSegment =
  | { readonly type: "text" | "reasoning"; readonly text: string }
  /** The words `w1 … wn`, one each 100 ms. */
  | { readonly type: "slow"; readonly count: number }
  | { readonly type: "fail"; readonly failure: DemoFailure };

export interface DemoCall {
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One model step: what is said, then at most one tool call. Only the last step of a plan has none. */
export interface DemoStep {
  readonly segments: readonly DemoSegment[];
  readonly call: DemoCall | null;
}

const FAILURES: ReadonlySet<string> = new Set<DemoFailure>(["overloaded", "rate-limit", "cut", "auth"]);
const MAX_SLOW_WORDS = 100_000;

/** Looks round without changing anything, and without failing where there is no repository. */
const LOOK_ROUND =
  'ls -la && { git status --short --branch 2>/dev/null || echo "This folder is not a git repository."; }';

const EXPLANATION = [
  "I am the scripted demo model of Dormouse, not an AI: I need no key and no network, and I do exactly what the lines of a message say. Above you see your workspace.",
  "",
  "Send me lines like these, and I make real tool calls in the sandbox:",
  "",
  "- `$ <command>` runs a command",
  "- `write <path>: <text>` writes a file (`\\n` in the text is a new line)",
  "- `edit <path>: <old> => <new>` changes a file",
  "- `read <path>` reads a file",
  "- `ask <question>` asks you something",
  "- `say <text>` and `think <text>` stream text and reasoning",
  "- `slow <n>` streams n words, ten a second",
  "- `fail overloaded`, `fail rate-limit`, `fail cut`, `fail auth` behave like a provider that fails",
].join("\n");

type Line =
  | { readonly type: "segment"; readonly segment: DemoSegment }
  | { readonly type: "call"; readonly call: DemoCall }
  | { readonly type: "prose" };

/**
 * Cuts a user message into steps. Lines without text are skipped; lines that are no instruction count as one request
 * to look round, made where the first of them stands. The result has at least one step, and its last step has no call.
 */
export function planDemoAnswer(message: string): readonly DemoStep[] {
  const steps: DemoStep[] = [];
  let segments: DemoSegment[] = [];
  const endStep = (call: DemoCall | null) => {
    steps.push({ segments, call });
    segments = [];
  };

  let lookedRound = false;
  for (const raw of message.split("\n")) {
    const line = parseLine(raw);
    if (line === null) continue;
    if (line.type === "segment") segments.push(line.segment);
    else if (line.type === "call") endStep(line.call);
    else if (!lookedRound) {
      lookedRound = true;
      endStep({ toolName: "bash", input: { command: LOOK_ROUND } });
      segments.push({ type: "text", text: EXPLANATION });
    }
  }
  endStep(null);
  return steps;
}

/** The sentence that ends every answer. */
export function closingSentence(toolCalls: number): string {
  return `Done: I made ${toolCalls} tool ${toolCalls === 1 ? "call" : "calls"}.`;
}

/** Null for a line without text. */
function parseLine(raw: string): Line | null {
  const line = raw.replace(/\r$/, "").trimStart();
  const words = line.trim();
  if (words === "") return null;

  if (words.startsWith("$ ")) return call("bash", { command: words.slice(2).trim() });
  const space = words.indexOf(" ");
  if (space < 0) return { type: "prose" };
  const verb = words.slice(0, space);
  const rest = words.slice(space + 1).trim();

  switch (verb) {
    case "write":
      return parseWrite(line.slice("write ".length));
    case "edit":
      return parseEdit(line.slice("edit ".length));
    case "read":
      return call("read", { path: rest });
    case "ask":
      return call("ask_user_question", { question: rest });
    case "say":
      return { type: "segment", segment: { type: "text", text: rest } };
    case "think":
      return { type: "segment", segment: { type: "reasoning", text: rest } };
    case "slow":
      return /^\d+$/.test(rest)
        ? { type: "segment", segment: { type: "slow", count: Math.min(Number(rest), MAX_SLOW_WORDS) } }
        : { type: "prose" };
    case "fail":
      return isDemoFailure(rest) ? { type: "segment", segment: { type: "fail", failure: rest } } : { type: "prose" };
    default:
      return { type: "prose" };
  }
}

/** `<path>: <text>`; the path ends at the first colon that a space or the end follows, else at the first colon. */
function parseWrite(rest: string): Line {
  const parts = splitPath(rest);
  if (parts === null) return { type: "prose" };
  return call("write", { path: parts.path, content: parts.text.replaceAll("\\n", "\n") });
}

/** `<path>: <old> => <new>`; both sides are taken literally, without the blanks around the arrow. */
function parseEdit(rest: string): Line {
  const parts = splitPath(rest);
  const sides = parts === null ? null : /^(.+?) =>(?: (.*))?$/.exec(parts.text);
  if (parts === null || sides === null) return { type: "prose" };
  return call("edit", { path: parts.path, oldString: sides[1] ?? "", newString: sides[2] ?? "" });
}

function splitPath(rest: string): { readonly path: string; readonly text: string } | null {
  const match = /^(.+?):(?: (.*))?$/.exec(rest) ?? /^([^:]+):(.*)$/.exec(rest);
  const path = match?.[1]?.trim() ?? "";
  return match === null || path === "" ? null : { path, text: match[2] ?? "" };
}

function call(toolName: string, input: Readonly<Record<string, unknown>>): Line {
  return { type: "call", call: { toolName, input } };
}

function isDemoFailure(word: string): word is DemoFailure {
  return FAILURES.has(word);
}
