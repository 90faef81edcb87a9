import type { DiffLine } from "@/components/chat/line-diff";
import type { ToolPart } from "@/components/chat/message-types";
import { terminalText } from "@/components/chat/plain-text";
import { changedLines, field, isRecord, listField, type Todo, textField, todosOf } from "@/components/chat/tool-fields";

/** One box of an opened call. */
export type ToolBlock =
  | {
      readonly kind: "text";
      readonly label: string;
      readonly text: string;
      readonly tone?: "danger";
      /** Is still being written: the box stays at its end. */
      readonly live?: true;
    }
  | { readonly kind: "diff"; readonly label: string; readonly lines: readonly DiffLine[] }
  | { readonly kind: "hits"; readonly label: string; readonly files: readonly FileHits[] }
  | { readonly kind: "paths"; readonly label: string; readonly paths: readonly string[] }
  | { readonly kind: "todos"; readonly label: string; readonly todos: readonly Todo[] }
  | { readonly kind: "note"; readonly label: string; readonly text: string };

export interface FileHits {
  readonly path: string;
  readonly hits: ReadonlyArray<{ readonly line: number; readonly text: string }>;
}

const MOST_DIFF_LINES = 1_000;

/** All that there is to know of a call, in boxes: what went in, what came out, and what went wrong. */
export function toolBlocks(toolName: string, part: ToolPart): ToolBlock[] {
  return [...inputBlocks(toolName, part), ...outputBlocks(toolName, part)];
}

function inputBlocks(toolName: string, { input, output }: ToolPart): ToolBlock[] {
  if (input === undefined) return [];
  switch (toolName) {
    case "bash": {
      const command = textField(input, "command");
      const folder = textField(input, "cwd");
      if (command === null) break;
      return [
        { kind: "text", label: "Command", text: command },
        ...(folder ? [{ kind: "note" as const, label: "Folder", text: folder }] : []),
      ];
    }
    case "write":
    case "edit": {
      const lines = changedLines(toolName, input, output);
      const blocks: ToolBlock[] = [{ kind: "diff", label: "Change", lines: lines.slice(0, MOST_DIFF_LINES) }];
      if (lines.length > MOST_DIFF_LINES) {
        const text = `${lines.length - MOST_DIFF_LINES} more lines: see the file under Changes.`;
        blocks.push({ kind: "note", label: "Not shown", text });
      }
      return blocks;
    }
    case "todo": {
      const todos = todosOf(input);
      if (todos.length === 0) break;
      return [{ kind: "todos", label: "List", todos }];
    }
    case "read":
    case "glob":
    case "grep": {
      const text = Object.entries(isRecord(input) ? input : {})
        .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
        .join("\n");
      return [{ kind: "text", label: "Input", text }];
    }
  }
  return [{ kind: "text", label: "Input", text: toText(input) }];
}

function outputBlocks(toolName: string, part: ToolPart): ToolBlock[] {
  const blocks: ToolBlock[] = [];
  if (part.errorText) blocks.push({ kind: "text", label: "Error", text: part.errorText, tone: "danger" });
  const { output, liveOutput } = part;
  if (output === undefined) {
    if (liveOutput) blocks.push({ kind: "text", label: "Output so far", text: terminalText(liveOutput), live: true });
    return blocks;
  }
  const failure = failureBlock(output);
  if (failure) blocks.push(failure);
  const found = failure && !isRecord(output) ? [] : foundBlocks(toolName, output);
  if (found) return [...blocks, ...found];
  return failure ? blocks : [...blocks, { kind: "text", label: "Output", text: toText(output) }];
}

/** What a tool reports as failed: the words if it has some, else the code. */
function failureBlock(output: unknown): ToolBlock | null {
  const error = textField(output, "error");
  if (error === null) return null;
  const tone = error === "stopped" ? {} : { tone: "danger" as const };
  return { kind: "text", label: "Error", text: textField(output, "message") ?? error, ...tone };
}

/** The boxes of an output that is as this tool's outputs are; null when it is not. */
function foundBlocks(toolName: string, output: unknown): ToolBlock[] | null {
  if (!isRecord(output)) return null;
  const cut = output.truncated === true ? [{ kind: "note" as const, label: "Not shown", text: "There was more." }] : [];
  switch (toolName) {
    case "bash":
      return [...streamBlocks(output)];
    case "grep":
      return Array.isArray(output.hits)
        ? [{ kind: "hits", label: "Hits", files: hitsByFile(output.hits) }, ...cut]
        : null;
    case "glob": {
      const paths = listField(output, "paths").filter((path) => typeof path === "string");
      return Array.isArray(output.paths) ? [{ kind: "paths", label: "Files", paths }, ...cut] : null;
    }
    case "read": {
      const text = textField(output, "content") ?? textField(output, "note");
      return text === null ? null : [{ kind: "text", label: "Content", text }, ...cut];
    }
    case "write":
    case "edit":
    case "todo":
      return [];
    default:
      return null;
  }
}

function streamBlocks(output: Readonly<Record<string, unknown>>): ToolBlock[] {
  const blocks: ToolBlock[] = [];
  const stdout = textField(output, "stdout");
  const stderr = textField(output, "stderr");
  if (stdout) blocks.push({ kind: "text", label: "Output", text: terminalText(stdout) });
  if (stderr) blocks.push({ kind: "text", label: "Error output", text: terminalText(stderr) });
  if (!stdout && !stderr) blocks.push({ kind: "note", label: "Output", text: "It wrote nothing." });
  if (Number(field(output, "droppedBytes")) > 0)
    blocks.push({ kind: "note", label: "Not shown", text: "There was more output than is kept." });
  return blocks;
}

/** Hits of one file together, in the order in which they came. */
function hitsByFile(hits: readonly unknown[]): FileHits[] {
  const files = new Map<string, { line: number; text: string }[]>();
  for (const hit of hits) {
    const path = textField(hit, "path");
    if (path === null) continue;
    const list = files.get(path) ?? [];
    list.push({ line: Number(field(hit, "line")) || 0, text: textField(hit, "text") ?? "" });
    files.set(path, list);
  }
  return [...files].map(([path, list]) => ({ path, hits: list }));
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
