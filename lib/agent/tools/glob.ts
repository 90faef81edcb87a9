import { posix } from "node:path";
import { z } from "zod";
import type { AgentTool, ToolContext, ToolResult } from "../tool";
import { defineTool } from "./define-tool";
import { failed, orFailure } from "./failures";
import { globToExtendedRegex } from "./glob-pattern";
import { displayPath, resolvePath, WORKSPACE } from "./paths";
import { storableText } from "./text";

export const GLOB_DEFAULT_LIMIT = 100;
const GLOB_MAX_LIMIT = 1_000;
const TIMEOUT_MS = 30_000;
const OUTPUT_CAP_BYTES = 8 * 1024 * 1024;
/** Folders that are left out unless the pattern or the path names them. */
const SKIPPED = [".git", "node_modules"] as const;

const inputSchema = z.strictObject({
  pattern: z
    .string()
    .min(1)
    .max(1_000)
    .describe("A glob such as **/*.ts or src/{a,b}/*.md; without a slash it matches at any depth."),
  path: z.string().min(1).optional().describe("Folder to look in; /workspace if absent."),
  limit: z
    .int()
    .min(1)
    .max(GLOB_MAX_LIMIT)
    .optional()
    .describe(`Most paths to return; ${GLOB_DEFAULT_LIMIT} if absent.`),
});
type GlobInput = z.infer<typeof inputSchema>;

/** Finds files by the shape of their path. */
export const globTool: AgentTool = defineTool<GlobInput>({
  name: "glob",
  description:
    "Finds files by a glob pattern, the most recently changed first. Leaves out .git and node_modules unless you name them.",
  inputSchema,
  readOnly: true,
  eventName: "glob",
  summarize: ({ pattern, path }) => `Looked for ${pattern}${path === undefined ? "" : ` in ${displayPath(path)}`}`,
  execute: (input, context) => orFailure(context, () => findPaths(input, context)),
});

async function findPaths(input: GlobInput, context: ToolContext): Promise<ToolResult> {
  const { provider, sandboxId, signal } = context;
  const { root, pattern } = splitPattern(input);
  if (root === "/") return failed("too_wide", "Name a folder to look in, for example /home/user/**/*.md.");
  const stat = await provider.stat(sandboxId, root);
  if (stat === null) return failed("not_found", `${root} does not exist.`);

  const skipped = SKIPPED.filter((name) => !`${root}/${pattern}/`.includes(`/${name}/`));
  const prune = skipped.flatMap((name, index) => [...(index === 0 ? [] : ["-o"]), "-name", name]);
  // An argument vector, so that no shell reads the pattern.
  const command = [
    "find",
    ".",
    "-regextype",
    "posix-extended",
    ...(prune.length === 0 ? [] : ["(", "-type", "d", "(", ...prune, ")", "-prune", ")", "-o"]),
    "(",
    "(",
    "-type",
    "f",
    "-o",
    "-type",
    "l",
    ")",
    "-regex",
    `\\./${globToExtendedRegex(pattern)}`,
    "-printf",
    "%T@ %p\\0",
    ")",
  ];
  const result = await provider.exec(sandboxId, {
    command,
    cwd: root,
    timeoutMs: TIMEOUT_MS,
    outputCapBytes: OUTPUT_CAP_BYTES,
    signal,
  });
  signal.throwIfAborted();
  const words = storableText(result.stderr.toString()).trim();
  // find also exits with 1 for one folder that it may not enter; what it found counts all the same.
  if (result.exitCode !== 0 && result.stdout.length === 0 && words !== "")
    return failed("find_failed", words.slice(0, 1_000));

  const found = result.stdout
    .toString()
    .split("\0")
    .flatMap((entry) => {
      const space = entry.indexOf(" ");
      return space < 0 ? [] : [{ changedAt: Number(entry.slice(0, space)), path: entry.slice(space + 1) }];
    })
    .sort((a, b) => b.changedAt - a.changedAt || (a.path < b.path ? -1 : 1));
  const limit = input.limit ?? GLOB_DEFAULT_LIMIT;
  const incomplete = result.timedOut || result.droppedBytes > 0;
  return {
    ok: true,
    output: {
      paths: found.slice(0, limit).map(({ path }) => storableText(displayPath(posix.join(root, path)))),
      total: found.length,
      truncated: found.length > limit || incomplete,
    },
  };
}

/** The folder to look in, and the pattern below it; an absolute pattern brings its own folder. */
function splitPattern(input: GlobInput): { readonly root: string; readonly pattern: string } {
  if (!input.pattern.startsWith("/")) return { root: resolvePath(input.path ?? WORKSPACE), pattern: input.pattern };
  const parts = input.pattern.slice(1).split("/");
  const wild = parts.findIndex((part) => /[*?[{\\]/.test(part));
  const fixed = wild < 0 ? parts.length - 1 : wild;
  // The slash keeps a last part without one from matching at any depth.
  return { root: `/${parts.slice(0, fixed).join("/")}`, pattern: `./${parts.slice(fixed).join("/")}` };
}
