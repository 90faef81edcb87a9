import { posix } from "node:path";
import { z } from "zod";
import type { ExecResult } from "@/lib/sandbox/provider";
import type { AgentTool, ToolContext, ToolResult } from "../tool";
import { defineTool } from "./define-tool";
import { failed, orFailure } from "./failures";
import { displayPath, resolvePath, WORKSPACE } from "./paths";
import { clipLine, storableText } from "./text";

export const GREP_MAX_HITS = 100;
export const GREP_MAX_HITS_PER_FILE = 10;
export const GREP_MAX_LINE_CHARS = 200;

const TIMEOUT_MS = 30_000;
const OUTPUT_CAP_BYTES = 4 * 1024 * 1024;

const inputSchema = z.strictObject({
  pattern: z.string().min(1).max(2_000).describe("A POSIX extended regular expression; it matches within one line."),
  path: z.string().min(1).optional().describe("File or folder to search; /workspace if absent."),
  glob: z.string().min(1).max(500).optional().describe("Only files whose name matches this, for example *.ts."),
  caseSensitive: z.boolean().optional().describe("False to ignore case; true if absent."),
});
type GrepInput = z.infer<typeof inputSchema>;

interface Hit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Searches the text of files. */
export const grepTool: AgentTool = defineTool<GrepInput>({
  name: "grep",
  description: `Searches files for a regular expression and returns path, line number and line. At most ${GREP_MAX_HITS} hits, ${GREP_MAX_HITS_PER_FILE} of each file. Files that git ignores are searched only when path names their folder.`,
  inputSchema,
  readOnly: true,
  eventName: "grep",
  summarize: ({ pattern, path }) =>
    `Searched for ${clipLine(pattern, 80)}${path === undefined ? "" : ` in ${displayPath(path)}`}`,
  execute: (input, context) => orFailure(context, () => search(input, context)),
});

async function search(input: GrepInput, context: ToolContext): Promise<ToolResult> {
  const target = resolvePath(input.path ?? WORKSPACE);
  const stat = await context.provider.stat(context.sandboxId, target);
  if (stat === null) return failed("not_found", `${target} does not exist.`);
  const folder = stat.type === "directory" ? target : posix.dirname(target);
  const file = stat.type === "directory" ? null : posix.basename(target);

  const byGit = await run(context, gitGrep(input, file), folder);
  // git also fails outside a repository, with a pattern it cannot read, or where it is too old: grep then has the word.
  // Nothing found below a named path may mean that git ignores it.
  const settled = byGit.exitCode === 0 || (byGit.exitCode === 1 && target === WORKSPACE);
  const result = settled ? byGit : await run(context, plainGrep(input, file), folder);
  if (result.exitCode === null || result.exitCode > 1) {
    if (result.timedOut) return failed("timed_out", "The search took too long. Name a smaller path or a glob.");
    const words = storableText(result.stderr.toString()).trim();
    if (result.stdout.length === 0) return failed("grep_failed", words.slice(0, 1_000) || "The search failed.");
  }
  return { ok: true, output: pick(result, folder) };
}

async function run(context: ToolContext, command: readonly string[], cwd: string): Promise<ExecResult> {
  const result = await context.provider.exec(context.sandboxId, {
    command,
    cwd,
    env: { LC_ALL: "C.UTF-8", GIT_OPTIONAL_LOCKS: "0" },
    timeoutMs: TIMEOUT_MS,
    outputCapBytes: OUTPUT_CAP_BYTES,
    signal: context.signal,
  });
  context.signal.throwIfAborted();
  return result;
}

/** One more than is shown of a file, so that a cut can be told. */
const PER_FILE = `--max-count=${GREP_MAX_HITS_PER_FILE + 1}`;

function gitGrep({ pattern, glob, caseSensitive }: GrepInput, file: string | null): string[] {
  const options = ["-nIEz", "--untracked", "--no-color", PER_FILE, ...(caseSensitive === false ? ["-i"] : [])];
  const where =
    file !== null
      ? [`:(literal)${file}`]
      : glob === undefined
        ? ["."]
        : [glob.includes("/") ? `:(glob)${glob.replace(/^\.?\//, "")}` : `:(glob)**/${glob}`];
  return ["git", "grep", ...options, "-e", pattern, "--", ...where];
}

function plainGrep({ pattern, glob, caseSensitive }: GrepInput, file: string | null): string[] {
  const options = ["-rnIEZH", PER_FILE, ...(caseSensitive === false ? ["-i"] : [])];
  const skipped = ["--exclude-dir=.git", "--exclude-dir=node_modules"];
  // grep looks at the last part of a path only.
  const include = glob === undefined || file !== null ? [] : [`--include=${posix.basename(glob)}`];
  return ["grep", ...options, ...skipped, ...include, "-e", pattern, "--", file ?? "."];
}

/** Reads `path NUL line (NUL or colon) text`, and keeps what the limits allow. */
function pick(result: ExecResult, folder: string) {
  const hits: Hit[] = [];
  const perFile = new Map<string, number>();
  let truncated = result.timedOut || result.droppedBytes > 0;
  for (const row of result.stdout.toString().split("\n")) {
    const match = /^([^\0]+)\0(\d+)[\0:](.*)$/s.exec(row);
    if (match === null) continue;
    const path = posix.join(folder, match[1] ?? "");
    const seen = (perFile.get(path) ?? 0) + 1;
    perFile.set(path, seen);
    if (seen > GREP_MAX_HITS_PER_FILE || hits.length >= GREP_MAX_HITS) {
      truncated = true;
      continue;
    }
    const text = clipLine((match[3] ?? "").replace(/\r$/, ""), GREP_MAX_LINE_CHARS);
    hits.push({ path: storableText(displayPath(path)), line: Number(match[2]), text: storableText(text) });
  }
  return { hits, total: hits.length, files: perFile.size, truncated };
}
