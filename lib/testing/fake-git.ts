import { type FakeProgram, runLine, type ShellContext } from "@/lib/sandbox/providers/fake/shell";

const COMMIT = "c".repeat(40);
const NOTHING = 3;

/**
 * Stands for git and bash in a fake sandbox: our own scripts are known by a word that only they have, and answered as in an empty
 * workspace on `main`; what the agent runs goes to the fake shell.
 */
export class FakeGit {
  readonly program: FakeProgram = (context, line) => {
    if (line.includes('exec /bin/bash -c "$1" bash ')) {
      return runLine(context, line.slice(line.indexOf('exec /bin/bash -c "$1" bash ') + 28));
    }
    const known = SCRIPTS.find(([word]) => line.includes(word));
    if (!known) throw new Error(`a test has no answer for this script: ${line.slice(0, 200)}`);
    return known[1](context, line);
  };
}

const SCRIPTS: readonly (readonly [string, (context: ShellContext, line: string) => number])[] = [
  ["git bundle create", keepWork],
  ["refs/dormouse/work", () => 0],
  ["git clone", () => 0],
  ["for f in .dormouse/setup.sh", () => 1],
  ["for f in .dormouse/pre-commit.sh", () => NOTHING],
  ["git commit --quiet --allow-empty", (context) => say(context, `${COMMIT}\n`)],
  ["git symbolic-ref --quiet --short HEAD", (context) => say(context, "main\n")],
  ["git -c core.quotePath=false", () => 0],
  ["find . -mindepth 1", () => 0],
];

function say(context: ShellContext, text: string): number {
  context.write("stdout", text);
  return 0;
}

/** Every file of the workspace that a test looks at goes into the bundle by name. */
function keepWork(context: ShellContext, line: string): number {
  const bundle = line.slice(line.lastIndexOf(" ") + 1);
  const names = context.files.list("/workspace").map((entry) => entry.name);
  context.files.write(bundle, JSON.stringify(names));
  return say(context, `${COMMIT}\n`);
}
