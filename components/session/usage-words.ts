import { formatMoney, formatTokens } from "@/components/settings/figures";
import type { ModelInfo } from "@/lib/model/contract";
import type { SessionUsageView } from "@/lib/usage/contract";

/** What the money of a session is, said as it is known: `$0.12`, `unknown`, `$0.12 and 2 calls of unknown price`. */
export function costWords({ costUsd, unpriced, calls }: SessionUsageView["total"]): string {
  if (calls === 0) return "$0";
  if (costUsd === null) return "unknown";
  const known = formatMoney(costUsd);
  return unpriced > 0 ? `${known} and ${unpriced} ${unpriced === 1 ? "call" : "calls"} of unknown price` : known;
}

/** How full the window of the model was after the newest step. */
export interface ContextShare {
  /** From 0 to 1; null when the size of the window is not known. */
  readonly share: number | null;
  readonly words: string;
}

/** Null before there was a step. */
export function contextShare(
  lastStep: SessionUsageView["lastStep"],
  models: readonly ModelInfo[],
): ContextShare | null {
  if (!lastStep) return null;
  const used = formatTokens(lastStep.contextTokens);
  const window = models.find((model) => model.ref === lastStep.model)?.contextTokens ?? null;
  if (window === null || window <= 0) return { share: null, words: `${used} tokens, of a window of unknown size` };
  const share = Math.min(1, lastStep.contextTokens / window);
  return { share, words: `${used} of ${formatTokens(window)}, ${Math.round(share * 100)}%` };
}

type Limits = SessionUsageView["limits"];
export type LimitName = keyof Limits;

/** The limits in the words of the form. */
export const LIMIT_FIELDS: readonly { readonly name: LimitName; readonly label: string; readonly money: boolean }[] = [
  { name: "maxSteps", label: "Steps of a turn", money: false },
  { name: "maxCostUsd", label: "Dollars of a turn", money: true },
  { name: "sessionMaxSteps", label: "Steps in all", money: false },
  { name: "sessionMaxCostUsd", label: "Dollars in all", money: true },
];

/** `1 step`, `12 steps`. */
export const stepWords = (steps: number) => `${steps} ${steps === 1 ? "step" : "steps"}`;

/** One line of all limits that are set; a turn's steps have a limit without it, too. */
export function limitWords(limits: Limits): string {
  const set = [
    limits.maxSteps === null ? null : `${stepWords(limits.maxSteps)} a turn`,
    limits.maxCostUsd === null ? null : `${formatMoney(limits.maxCostUsd)} a turn`,
    limits.sessionMaxSteps === null ? null : `${stepWords(limits.sessionMaxSteps)} in all`,
    limits.sessionMaxCostUsd === null ? null : `${formatMoney(limits.sessionMaxCostUsd)} in all`,
  ].filter((words) => words !== null);
  return set.length === 0 ? "none of your own" : set.join(", ");
}

/** What stands in the form, as text; empty is no limit. */
export type LimitTexts = Readonly<Record<LimitName, string>>;

export function limitTexts(limits: Limits): LimitTexts {
  const text = (value: number | null) => (value === null ? "" : String(value));
  return {
    maxSteps: text(limits.maxSteps),
    maxCostUsd: text(limits.maxCostUsd),
    sessionMaxSteps: text(limits.sessionMaxSteps),
    sessionMaxCostUsd: text(limits.sessionMaxCostUsd),
  };
}

/** The limits that differ from before; null takes one away. */
export function changedLimits(before: Limits, texts: LimitTexts): Partial<Limits> {
  const wanted = LIMIT_FIELDS.map(
    ({ name }) => [name, texts[name].trim() === "" ? null : Number(texts[name])] as const,
  );
  return Object.fromEntries(wanted.filter(([name, value]) => value !== before[name]));
}
