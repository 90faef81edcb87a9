import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isSandboxError } from "@/lib/sandbox/errors";
import type { FileTree } from "./file-tree";

/** What a command of a fake sandbox sees and can do. */
export interface ShellContext {
  readonly files: FileTree;
  cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** Aborts when the command is killed or its sandbox stops. */
  readonly signal: AbortSignal;
  write(stream: "stdout" | "stderr", text: string | Uint8Array): void;
}

/** A command that a test provides in place of a program. Returns the exit code. */
export type FakeProgram = (context: ShellContext, line: string) => number | Promise<number>;

const NOT_FOUND = 127;

/**
 * Runs a line of `;`, `&&` and newlines over a handful of programs: echo, cat, sleep, exit, true, false, pwd, cd, mkdir, rm, mv,
 * with `> file`, `>> file`, `>&2`, quotes and `$NAME`. It is no shell; anything else a test needs it scripts itself.
 */
export async function runLine(context: ShellContext, line: string): Promise<number> {
  let last = 0;
  for (const { text, onlyAfterSuccess } of splitLine(line)) {
    if (context.signal.aborted) return last;
    if (onlyAfterSuccess && last !== 0) continue;
    const words = splitWords(text, context.env);
    if (words[0] === "exit") return Number(words[1] ?? last);
    last = words.length === 0 ? 0 : await runWords(context, words);
  }
  return last;
}

export async function runWords(context: ShellContext, words: readonly string[]): Promise<number> {
  const { args, out } = redirect(context, words);
  const [program = "", ...rest] = args;
  const run = PROGRAMS[program];
  if (!run) {
    context.write("stderr", `${program}: command not found\n`);
    return NOT_FOUND;
  }
  try {
    return await run(context, rest, out);
  } catch (error) {
    if (context.signal.aborted) return 0;
    if (!isSandboxError(error)) throw error;
    context.write("stderr", `${program}: ${error.message}\n`);
    return 1;
  }
}

type Program = (
  context: ShellContext,
  args: readonly string[],
  out: (bytes: string | Uint8Array) => void,
) => number | Promise<number>;

const PROGRAMS: Readonly<Record<string, Program>> = {
  true: () => 0,
  false: () => 1,
  ":": () => 0,
  pwd: ({ cwd }, _args, out) => {
    out(`${cwd}\n`);
    return 0;
  },
  echo: (_context, args, out) => {
    const bare = args[0] === "-n";
    out((bare ? args.slice(1) : args).join(" ") + (bare ? "" : "\n"));
    return 0;
  },
  sleep: async ({ signal }, args) => {
    await delay(Number(args[0] ?? "0") * 1_000, undefined, { signal });
    return 0;
  },
  cat: (context, args, out) => {
    if (args.length === 0) out(context.stdin);
    for (const name of args) out(context.files.read(at(context, name), { maxBytes: Number.MAX_SAFE_INTEGER }).bytes);
    return 0;
  },
  cd: (context, args) => {
    const folder = at(context, args[0] ?? "/home/user");
    if (!context.files.isFolder(folder)) return 1;
    context.cwd = folder;
    return 0;
  },
  mkdir: (context, args) => {
    for (const name of plain(args)) context.files.makeFolder(at(context, name));
    return 0;
  },
  rm: (context, args) => {
    for (const name of plain(args)) context.files.remove(at(context, name));
    return 0;
  },
  mv: (context, args) => {
    context.files.move(at(context, args[0] ?? ""), at(context, args[1] ?? ""));
    return 0;
  },
};

function plain(args: readonly string[]): string[] {
  return args.filter((arg) => !arg.startsWith("-"));
}

function at(context: ShellContext, name: string): string {
  return path.posix.resolve(context.cwd, name);
}

function redirect(context: ShellContext, words: readonly string[]) {
  const args: string[] = [];
  let out = (bytes: string | Uint8Array) => context.write("stdout", bytes);
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (word === ">&2") {
      out = (bytes) => context.write("stderr", bytes);
    } else if (word === ">" || word === ">>") {
      const target = at(context, words[index + 1] ?? "");
      if (word === ">") context.files.write(target, "");
      out = (bytes) => {
        const before = context.files.stat(target) ? context.files.read(target).bytes : Buffer.alloc(0);
        context.files.write(target, Buffer.concat([before, Buffer.from(bytes)]));
      };
      index += 1;
    } else {
      args.push(word);
    }
  }
  return { args, out };
}

function splitLine(line: string): { text: string; onlyAfterSuccess: boolean }[] {
  const parts: { text: string; onlyAfterSuccess: boolean }[] = [];
  let onlyAfterSuccess = false;
  for (const piece of line.split(/(&&|;|\n)(?=(?:[^'"]|'[^']*'|"[^"]*")*$)/)) {
    if (piece === "&&" || piece === ";" || piece === "\n") onlyAfterSuccess = piece === "&&";
    else if (piece.trim() !== "") parts.push({ text: piece.trim(), onlyAfterSuccess });
  }
  return parts;
}

function splitWords(text: string, env: Readonly<Record<string, string>>): string[] {
  const expand = (word: string) => word.replace(/\$([A-Za-z_]\w*)/g, (_all, name: string) => env[name] ?? "");
  const words: string[] = [];
  for (const match of text.matchAll(/>&2|>>|>|(?:'[^']*'|"[^"]*"|[^\s'">])+/g)) {
    const raw = match[0];
    words.push(
      raw.replace(/'([^']*)'|"([^"]*)"|([^'"]+)/g, (_all, single?: string, double?: string, bare?: string) =>
        single !== undefined ? single : expand(double ?? bare ?? ""),
      ),
    );
  }
  return words;
}
