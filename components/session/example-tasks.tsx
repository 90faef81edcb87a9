"use client";

import { Icon, type IconName } from "@/components/ui/icon";

interface Example {
  readonly title: string;
  readonly text: string;
  readonly icon: IconName;
  readonly prompt: string;
}

/** In the script of the demo model, which needs no key (api.md). */
const DEMO: readonly Example[] = [
  {
    title: "Look around",
    text: "A command in a real sandbox",
    icon: "terminal",
    prompt: "say I will look around first.\n$ uname -a && ls -la && git log --oneline | head",
  },
  {
    title: "Write a file",
    text: "See it among the changes",
    icon: "file-edit",
    prompt:
      'write hello.sh: echo "Hello from a sandbox"\\n\n$ sh hello.sh\nsay The new file is under Changes. Commit it from there.',
  },
  {
    title: "Be asked something",
    text: "Answer and watch it go on",
    icon: "help",
    prompt: "ask Which colour shall it be?\nwrite colour.txt: as you wish\\n\nsay Thank you, noted in colour.txt.",
  },
];

const REAL: readonly Example[] = [
  {
    title: "Explain a repository",
    text: "Give its address above",
    icon: "file-text",
    prompt:
      "Read this repository and explain in ten sentences what it does, how it is built and how its tests are run.",
  },
  {
    title: "Write a small tool",
    text: "See it among the changes",
    icon: "file-edit",
    prompt: "Write a shell script that lists the ten largest files below a folder, with a test, and run the test.",
  },
  {
    title: "Find a bug",
    text: "Give its address above",
    icon: "search",
    prompt: "Run the tests of this repository. If one fails, find out why, mend it, and say what was wrong.",
  },
];

/** Explains the first visit by what one can do: a press puts the task into the form, where it can be read and changed. */
export function ExampleTasks({ demo, onPick }: { demo: boolean; onPick: (prompt: string) => void }) {
  return (
    <section aria-labelledby="examples-heading" className="border-t border-line pt-4">
      <h2 id="examples-heading" className="text-sm font-semibold">
        New here? Take one of these
      </h2>
      <p className="mt-1 text-sm text-ink-soft">
        A task gets a machine of its own, an agent works there, and you get a diff to read, commit and push.
        {demo && " The demo model follows a small script with real commands, so it needs no key."}
      </p>
      <ul className="mt-3 grid gap-2 sm:grid-cols-3">
        {(demo ? DEMO : REAL).map((example) => (
          <li key={example.title}>
            <button
              type="button"
              onClick={() => onPick(example.prompt)}
              className="flex h-full w-full items-start gap-2.5 rounded-lg border border-line bg-surface p-3 text-left hover:bg-hover"
            >
              <Icon name={example.icon} className="mt-0.5 size-4 text-accent" />
              <span>
                <span className="block text-sm font-medium">{example.title}</span>
                <span className="block text-xs text-ink-faint">{example.text}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
