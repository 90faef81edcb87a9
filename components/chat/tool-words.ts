import { firstLine } from "@/components/lib/format";
import type { IconName } from "@/components/ui/icon";

interface ToolWords {
  readonly icon: IconName;
  readonly verb: string;
  /** The field of the input that says what the call is about. */
  readonly subject: string;
}

const WORDS: Readonly<Record<string, ToolWords>> = {
  bash: { icon: "terminal", verb: "Run", subject: "command" },
  write: { icon: "pencil", verb: "Write", subject: "path" },
  edit: { icon: "pencil", verb: "Edit", subject: "path" },
  read: { icon: "file", verb: "Read", subject: "path" },
  grep: { icon: "file", verb: "Search for", subject: "pattern" },
  glob: { icon: "folder", verb: "Find", subject: "pattern" },
  todo: { icon: "check", verb: "Plan", subject: "" },
  ask_user_question: { icon: "alert", verb: "Ask", subject: "question" },
};

/** How a call is named in its line: an icon, a verb, and what it is about. Unknown tools are named as they are. */
export function toolLine(toolName: string, input: unknown): { icon: IconName; verb: string; subject: string } {
  const words = WORDS[toolName];
  if (!words) return { icon: "terminal", verb: toolName, subject: "" };
  return { icon: words.icon, verb: words.verb, subject: firstLine(textField(input, words.subject) ?? "", 200) };
}

/** A field of something that came from the agent, if it is there and text. */
export function textField(value: unknown, field: string): string | null {
  if (typeof value !== "object" || value === null) return null;
  const found = (value as Record<string, unknown>)[field];
  return typeof found === "string" ? found : null;
}

export interface ToolSection {
  readonly label: string;
  readonly text: string;
  readonly tone?: "danger";
}

/** The fields of an output that are worth a box of their own; what else it holds is shown as JSON. */
const OUTPUT_FIELDS = ["stdout", "stderr", "error", "message", "note", "content", "text", "diff"] as const;

/** What a call was given and what it answered, as readable text. */
export function toolSections(
  toolName: string,
  input: unknown,
  output: unknown,
  errorText?: string,
  liveOutput?: string,
): ToolSection[] {
  const sections: ToolSection[] = [];
  const command = toolName === "bash" ? textField(input, "command") : null;
  if (command !== null) sections.push({ label: "Command", text: command });
  else if (toolName === "todo") sections.push({ label: "List", text: todoText(input) });
  else if (input !== undefined) sections.push({ label: "Input", text: toText(input) });
  if (errorText) sections.push({ label: "Error", text: errorText, tone: "danger" });
  if (output === undefined) return liveOutput ? [...sections, { label: "Output so far", text: liveOutput }] : sections;
  const found = OUTPUT_FIELDS.flatMap((field) => {
    const text = textField(output, field);
    if (!text) return [];
    const danger = field === "error" ? { tone: "danger" as const } : {};
    return [{ label: field === "stdout" ? "Output" : field, text, ...danger }];
  });
  if (found.length > 0) sections.push(...found);
  else sections.push({ label: "Output", text: toText(output) });
  return sections;
}

/** How a finished call ended, in a word for its line; null when there is nothing to say. */
export function toolOutcome(output: unknown): { text: string; failed: boolean } | null {
  if (typeof output !== "object" || output === null) return null;
  const { exitCode, error } = output as Record<string, unknown>;
  if (typeof exitCode === "number") return { text: `exit ${exitCode}`, failed: exitCode !== 0 };
  if (typeof error !== "string") return null;
  return { text: error === "stopped" ? "stopped" : "failed", failed: error !== "stopped" };
}

const TODO_MARK: Readonly<Record<string, string>> = { completed: "✓", in_progress: "→", pending: "○" };

/** The agent's own list, one line an entry. */
function todoText(input: unknown): string {
  const todos = typeof input === "object" && input !== null && "todos" in input ? input.todos : null;
  if (!Array.isArray(todos)) return toText(input);
  return todos
    .map((todo) => `${TODO_MARK[textField(todo, "status") ?? ""] ?? "○"} ${textField(todo, "content") ?? ""}`)
    .join("\n");
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
