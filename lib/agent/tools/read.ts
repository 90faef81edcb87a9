import { z } from "zod";
import type { AgentTool, ToolContext, ToolResult } from "../tool";
import { defineTool } from "./define-tool";
import { failed, orFailure } from "./failures";
import { followLink } from "./follow-link";
import { displayPath, resolvePath } from "./paths";
import { clipLine, looksBinary, storableText } from "./text";

export const READ_DEFAULT_LINES = 2_000;
export const READ_MAX_CHARS = 200_000;
const MAX_LINE_CHARS = 2_000;
const CHUNK_BYTES = 1024 * 1024;
/** Lines beyond this are better cut out by a command in the sandbox than carried out of it. */
const SCAN_LIMIT_BYTES = 32 * 1024 * 1024;
const IMAGE = /\.(png|jpe?g|gif|webp|bmp|ico|avif|tiff?)$/i;

const inputSchema = z.strictObject({
  path: z.string().min(1).describe("The file; relative to /workspace or absolute."),
  offsetLine: z.int().min(1).optional().describe("First line to read, counted from 1; 1 if absent."),
  limitLines: z
    .int()
    .min(1)
    .max(READ_DEFAULT_LINES)
    .optional()
    .describe(`How many lines to read; ${READ_DEFAULT_LINES} if absent, which is also the most.`),
});
type ReadInput = z.infer<typeof inputSchema>;

/** Reads a part of a text file with line numbers. */
export const readTool: AgentTool = defineTool<ReadInput>({
  name: "read",
  description: `Reads a text file. Each line comes as its number, a tab and its text. At most ${READ_DEFAULT_LINES} lines and ${READ_MAX_CHARS / 1000} KB at a time: go on with offsetLine.`,
  inputSchema,
  readOnly: true,
  eventName: "read",
  summarize: ({ path, offsetLine }) => `Read ${displayPath(path)}${offsetLine ? ` from line ${offsetLine}` : ""}`,
  execute: (input, context) => orFailure(context, () => readText(input, context)),
});

async function readText(input: ReadInput, context: ToolContext): Promise<ToolResult> {
  const path = await followLink(context, resolvePath(input.path));
  const stat = await context.provider.stat(context.sandboxId, path);
  if (stat === null) return failed("not_found", `${path} does not exist. Look for it with glob.`);
  if (stat.type === "directory") {
    return failed("is_a_directory", `${path} is a folder. List it with bash (ls -la) or find files with glob.`);
  }

  const first = await context.provider.readFile(context.sandboxId, path, { maxBytes: CHUNK_BYTES });
  if (looksBinary(first.bytes)) {
    const kind = IMAGE.test(path) ? "an image" : "a binary file";
    const note = `${path} is ${kind} of ${first.sizeBytes} bytes; its content is not shown as text.`;
    return { ok: true, output: { path, note, binary: true, sizeBytes: first.sizeBytes } };
  }

  const page = new LinePage(input.offsetLine ?? 1, input.limitLines ?? READ_DEFAULT_LINES);
  let readBytes = first.bytes.length;
  page.append(first.bytes);
  while (!page.full && readBytes < first.sizeBytes && readBytes < SCAN_LIMIT_BYTES) {
    context.signal.throwIfAborted();
    const range = { offsetBytes: readBytes, maxBytes: CHUNK_BYTES };
    const next = await context.provider.readFile(context.sandboxId, path, range);
    if (next.bytes.length === 0) break;
    readBytes += next.bytes.length;
    page.append(next.bytes);
  }

  const reachedEnd = readBytes >= first.sizeBytes;
  if (reachedEnd) page.end();
  if (page.taken === 0 && !reachedEnd && !page.full) {
    return failed(
      "too_large",
      `${path} is too large to read that far in. Use bash: sed -n '<first>,<last>p' on the file.`,
    );
  }
  if (page.taken === 0 && page.lines > 0) {
    return failed("past_the_end", `${path} has only ${page.lines} lines.`, { totalLines: page.lines });
  }
  return {
    ok: true,
    output: {
      path,
      content: page.text(),
      firstLine: page.firstLine,
      lastLine: page.firstLine + page.taken - 1,
      totalLines: reachedEnd ? page.lines : null,
      truncated: page.full || !reachedEnd,
      sizeBytes: first.sizeBytes,
    },
  };
}

/** Collects the wanted lines of a text that comes in pieces. */
class LinePage {
  readonly #decoder = new TextDecoder();
  readonly #kept: string[] = [];
  readonly firstLine: number;
  readonly #limit: number;
  #chars = 0;
  #rest = "";
  lines = 0;
  full = false;

  constructor(firstLine: number, limit: number) {
    this.firstLine = firstLine;
    this.#limit = limit;
  }

  get taken(): number {
    return this.#kept.length;
  }

  /** Counts all lines of a piece, also those after the page: the total is known when the file ends in it. */
  append(bytes: Uint8Array): void {
    const pieces = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split("\n");
    this.#rest = pieces.pop() ?? "";
    for (const line of pieces) this.#take(line);
  }

  end(): void {
    const last = this.#rest + this.#decoder.decode();
    this.#rest = "";
    if (last !== "") this.#take(last);
  }

  text(): string {
    return storableText(this.#kept.join("\n"));
  }

  #take(raw: string): void {
    this.lines += 1;
    if (this.lines < this.firstLine || this.full) return;
    const line = `${this.lines}\t${clipLine(raw.replace(/\r$/, ""), MAX_LINE_CHARS)}`;
    if (this.#kept.length >= this.#limit || (this.#kept.length > 0 && this.#chars + line.length > READ_MAX_CHARS)) {
      this.full = true;
      return;
    }
    this.#kept.push(line);
    this.#chars += line.length + 1;
  }
}
