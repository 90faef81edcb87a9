import { type AgentAction, decideStuck, type StuckVerdict } from "./stuck";

/** The rows of a turn, as far as stuck detection looks at them. */
export interface StuckFacts {
  readonly steps: readonly { readonly step: number; readonly said: string }[];
  /** Finished calls, in order. */
  readonly calls: readonly {
    readonly step: number;
    readonly name: string;
    readonly input: unknown;
    readonly output: unknown;
    readonly ok: boolean;
    readonly byPerson: boolean;
  }[];
  /** Steps before this one do not count. */
  readonly fromStep: number;
  readonly nudgedBeforeStep: number | null;
}

/** How long something took says nothing about whether it is the same. */
const VOLATILE: ReadonlySet<string> = new Set(["durationMs"]);

/** Looks at a turn's steps for an agent that goes in circles. Pure. */
export function findStuck({ steps, calls, fromStep, nudgedBeforeStep }: StuckFacts): StuckVerdict {
  const actions: AgentAction[] = [];
  for (const { step, said } of steps) {
    if (step < fromStep) continue;
    if (step === nudgedBeforeStep) actions.push({ kind: "nudge" });
    const made = calls.filter((call) => call.step === step);
    if (made.length === 0) actions.push({ kind: "text", text: said });
    for (const { name, input, output, ok, byPerson } of made) {
      if (byPerson) actions.push({ kind: "person" });
      else actions.push({ kind: "tool", name, input: comparable(input), output: comparable(output), ok });
    }
  }
  return decideStuck(actions);
}

function comparable(value: unknown): string {
  return JSON.stringify(value, (key, item: unknown) => (VOLATILE.has(key) ? undefined : item)) ?? "";
}
