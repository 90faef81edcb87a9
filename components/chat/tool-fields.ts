import { type DiffLine, diffLines } from "@/components/chat/line-diff";

/** Inputs and outputs of tools come from the agent: nothing about their shape is taken for granted. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function field(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

/** A field if it is there and text. */
export function textField(value: unknown, name: string): string | null {
  const found = field(value, name);
  return typeof found === "string" ? found : null;
}

/** A field if it is there and a list; else none. */
export function listField(value: unknown, name: string): readonly unknown[] {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}

/** Kept with the object that says most about the call: it never changes once it is there. */
const diffs = new WeakMap<object, readonly DiffLine[]>();

/** What a `write` or an `edit` changed, line by line. The output of an edit tells where in the file. */
export function changedLines(toolName: string, input: unknown, output: unknown): readonly DiffLine[] {
  if (!isRecord(input)) return [];
  const kept = isRecord(output) ? output : input;
  const known = diffs.get(kept);
  if (known) return known;
  const line = field(output, "line");
  const lines =
    toolName === "write"
      ? diffLines("", textField(input, "content") ?? "")
      : diffLines(
          textField(input, "oldString") ?? "",
          textField(input, "newString") ?? "",
          typeof line === "number" ? line : 1,
        );
  diffs.set(kept, lines);
  return lines;
}

export interface Todo {
  readonly content: string;
  readonly status: "pending" | "in_progress" | "completed";
}

/** The agent's own list, as far as it can be read. */
export function todosOf(input: unknown): readonly Todo[] {
  return listField(input, "todos").flatMap((entry) => {
    const content = textField(entry, "content");
    const status = textField(entry, "status");
    if (!content) return [];
    return { content, status: status === "completed" || status === "in_progress" ? status : ("pending" as const) };
  });
}
