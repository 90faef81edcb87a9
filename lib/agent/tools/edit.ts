import { z } from "zod";
import type { AgentTool, ToolContext, ToolResult } from "../tool";
import { defineTool } from "./define-tool";
import { type EditOutcome, replaceText } from "./edit-text";
import { failed, orFailure } from "./failures";
import { followLink } from "./follow-link";
import { displayPath, refuseWriteOutside, resolvePath } from "./paths";
import { clipLine, count, decodeUtf8, looksBinary, storableText } from "./text";

const MAX_STRING_CHARS = 500_000;
const MAX_FILE_BYTES = 8 * 1024 * 1024;

const inputSchema = z.strictObject({
  path: z.string().min(1).describe("The file; relative to /workspace or absolute."),
  oldString: z
    .string()
    .max(MAX_STRING_CHARS)
    .describe("The exact text to replace, with its indentation and without line numbers."),
  newString: z.string().max(MAX_STRING_CHARS).describe("The text to put in its place; empty to delete."),
  replaceAll: z.boolean().optional().describe("True to replace every match; else there must be exactly one."),
});
type EditInput = z.infer<typeof inputSchema>;

/** Replaces literal text in a file. */
export const editTool: AgentTool = defineTool<EditInput>({
  name: "edit",
  description:
    "Replaces text in a file. oldString is taken literally and must occur exactly once: give enough of the lines around it, or set replaceAll.",
  inputSchema,
  readOnly: false,
  eventName: "edit",
  summarize: ({ path }) => `Edited ${displayPath(path)}`,
  execute: (input, context) => orFailure(context, () => editFile(input, context)),
});

async function editFile(input: EditInput, context: ToolContext): Promise<ToolResult> {
  const { provider, sandboxId } = context;
  const path = await followLink(context, resolvePath(input.path));
  const refusal = refuseWriteOutside(path);
  if (refusal !== null) return refusal;
  if (input.oldString === "") return failed("empty_old_string", "oldString is empty. To write a whole file use write.");
  if (input.oldString === input.newString) return failed("no_change", "oldString and newString are the same.");

  const stat = await provider.stat(sandboxId, path);
  if (stat === null) return failed("not_found", `${path} does not exist. Make it with write.`);
  if (stat.type === "directory") return failed("is_a_directory", `${path} is a folder.`);
  const file = await provider.readFile(sandboxId, path, { maxBytes: MAX_FILE_BYTES });
  if (file.sizeBytes > file.bytes.length) {
    return failed(
      "too_large",
      `${path} has ${file.sizeBytes} bytes, too many to edit here. Use bash, for example sed.`,
    );
  }
  const text = looksBinary(file.bytes) ? null : decodeUtf8(file.bytes);
  if (text === null) return failed("not_text", `${path} is not UTF-8 text. Use bash to change it.`);

  const outcome = replaceText(text, {
    oldString: input.oldString,
    newString: input.newString,
    replaceAll: input.replaceAll ?? false,
    again: context.attempt > 1,
  });
  switch (outcome.kind) {
    case "replaced":
      await provider.writeFile(sandboxId, path, outcome.text);
      return { ok: true, output: { path, replacements: outcome.replacements, line: outcome.line } };
    case "already_applied":
      return { ok: true, output: { path, alreadyApplied: true, line: outcome.line } };
    default:
      return refusalOf(path, outcome);
  }
}

function refusalOf(path: string, outcome: Extract<EditOutcome, { kind: "ambiguous" | "not_found" }>): ToolResult {
  if (outcome.kind === "ambiguous") {
    const { matches, lines } = outcome;
    const where = `line${lines.length === 1 ? "" : "s"} ${lines.join(", ")}${matches > lines.length ? ", …" : ""}`;
    const message = `oldString occurs ${matches} times in ${path} (${where}). Give more of the lines around it, or set replaceAll.`;
    return failed("not_unique", message, { matches, lines });
  }
  const nearest = outcome.nearest.map(({ line, text }) => ({ line, text: storableText(clipLine(text, 200)) }));
  const hint =
    nearest.length === 0
      ? "Nothing in it is like it. Read the file first."
      : `The nearest ${nearest.length === 1 ? "is" : count(nearest.length, "line").concat(" are")}: ${nearest.map(({ line, text }) => `${line}: ${text}`).join(" | ")}`;
  return failed("no_match", `oldString does not occur in ${path}. ${hint}`, { matches: 0, nearest });
}
