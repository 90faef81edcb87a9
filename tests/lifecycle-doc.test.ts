import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { SANDBOX_STATES } from "@/lib/sandbox/contract";
import { DEADLINE_MS, TRANSITIONS } from "@/lib/sandbox/lifecycle";

const page = readFileSync(path.resolve(import.meta.dirname, "../SANDBOX-LIFECYCLE.md"), "utf8");

function rowsOf(heading: string): string[][] {
  const section = page.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const rows = section
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2);
  return rows.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll("`", "")),
  );
}

test("SANDBOX-LIFECYCLE.md lists exactly the transitions of the code", () => {
  const code = Object.entries(TRANSITIONS).flatMap(([from, events]) =>
    Object.entries(events).map(([event, to]) => `${from} ${event} ${to}`),
  );
  expect(
    rowsOf("Transitions")
      .map(([from, event, to]) => `${from} ${event} ${to}`)
      .sort(),
  ).toEqual(code.sort());
});

test("SANDBOX-LIFECYCLE.md lists exactly the states of the code, with their deadlines", () => {
  const rows = rowsOf("States");
  expect(rows.map(([state]) => state)).toEqual([...SANDBOX_STATES]);
  for (const [state, , , deadline] of rows) {
    const ms = DEADLINE_MS[state as keyof typeof DEADLINE_MS] as number | undefined;
    expect(deadline, state).toMatch(ms === undefined ? /^none/ : new RegExp(`^${ms / 60_000} min`));
  }
});
