import { countChanges } from "@/components/chat/line-diff";
import { isUnsettled, type ToolPart } from "@/components/chat/message-types";
import { showDirection } from "@/components/chat/plain-text";
import { changedLines, field, isRecord, listField, textField } from "@/components/chat/tool-fields";
import { firstLine, formatDuration } from "@/components/lib/format";
import type { IconName } from "@/components/ui/icon";

interface ToolWords {
  readonly icon: IconName;
  readonly verb: string;
  /** The field of the input that says what the call is about. */
  readonly subject: string;
}

const WORDS: Readonly<Record<string, ToolWords>> = {
  bash: { icon: "terminal", verb: "Run", subject: "command" },
  write: { icon: "file-new", verb: "Write", subject: "path" },
  edit: { icon: "file-edit", verb: "Edit", subject: "path" },
  read: { icon: "file-text", verb: "Read", subject: "path" },
  grep: { icon: "search", verb: "Search for", subject: "pattern" },
  glob: { icon: "folder", verb: "Find", subject: "pattern" },
  todo: { icon: "todo", verb: "Plan", subject: "" },
  ask_user_question: { icon: "help", verb: "Ask", subject: "question" },
};

/** How a call is named in its line: an icon, a verb, and what it is about. Unknown tools are named as they are. */
export function toolLine(toolName: string, input: unknown): { icon: IconName; verb: string; subject: string } {
  const words = WORDS[toolName];
  if (!words) return { icon: "tool", verb: toolName, subject: "" };
  return {
    icon: words.icon,
    verb: words.verb,
    subject: showDirection(firstLine(textField(input, words.subject) ?? "", 200)),
  };
}

export interface ToolOutcome {
  readonly text: string;
  readonly failed: boolean;
}

/** How a finished call ended, in a few words for its line; null when there is nothing to say. */
export function toolOutcome(toolName: string, part: ToolPart): ToolOutcome | null {
  if (part.state === "output-error") return { text: "failed", failed: true };
  if (isUnsettled(part) || !isRecord(part.output)) return null;
  const { exitCode, error, durationMs } = part.output;
  const took = typeof durationMs === "number" && durationMs >= 1_000 ? ` · ${formatDuration(durationMs)}` : "";
  if (typeof error === "string") {
    if (error === "stopped") return { text: "stopped", failed: false };
    return { text: error === "timed_out" ? "timed out" : "failed", failed: true };
  }
  if (typeof exitCode === "number") return { text: `exit ${exitCode}${took}`, failed: exitCode !== 0 };
  const text = glance(toolName, part);
  return text ? { text, failed: false } : null;
}

/** What a call that went well is worth in a few words. */
function glance(toolName: string, part: ToolPart): string | null {
  const { output } = part;
  switch (toolName) {
    case "bash":
      return field(output, "running") === true ? "in the background" : null;
    case "write":
    case "edit": {
      const { added, removed } = countChanges(changedLines(toolName, part.input, output));
      return [added > 0 && `+${added}`, removed > 0 && `−${removed}`].filter(Boolean).join(" ") || null;
    }
    case "grep": {
      const hits = listField(output, "hits").length;
      return hits === 0
        ? "nothing found"
        : `${count(hits, "hit")} in ${count(Number(field(output, "files")) || 1, "file")}`;
    }
    case "glob": {
      const total = Number(field(output, "total") ?? listField(output, "paths").length);
      return total === 0 ? "nothing found" : count(total, "file");
    }
    case "read": {
      const [first, last] = [field(output, "firstLine"), field(output, "lastLine")];
      if (typeof first !== "number" || typeof last !== "number" || last < first) return null;
      return first === last ? `line ${first}` : `lines ${first}–${last}`;
    }
    case "todo": {
      const todos = listField(part.input, "todos");
      const done = todos.filter((todo) => textField(todo, "status") === "completed").length;
      return todos.length > 0 ? `${done} of ${todos.length} done` : null;
    }
    default:
      return null;
  }
}

export function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
