import { appendFileSync } from "node:fs";

/** One line of the table: what Dormouse takes and what the same costs without it, in the same run. */
export interface Row {
  readonly name: string;
  /** What `ours` is divided by, in words. */
  readonly baseline?: string;
  /** Medians, in `unit`. */
  readonly ours: number;
  readonly theirs?: number;
  readonly unit: "ms" | "MB" | "s of CPU";
  readonly runs: number;
  /** Largest ratio, or largest value where there is no baseline, that we aim at. */
  readonly aim?: number;
  /** Turns the ratio round: how many times quicker we are. */
  readonly quicker?: boolean;
  readonly note?: string;
}

/** Hands a line to `scripts/bench.mjs`, which prints the table. */
export function report(row: Row): void {
  const file = process.env.DORMOUSE_BENCH_ROWS;
  if (file) appendFileSync(file, `${JSON.stringify(row)}\n`);
  else console.log(row);
}

/** @param share 0.5 for the median, 0.95 for the 95th percentile */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new Error("nothing was measured");
  return value;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** How long something takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** Runs `work` several times, one after the other, and gives all durations in milliseconds. */
export async function timedRuns(runs: number, work: (run: number) => Promise<unknown>): Promise<number[]> {
  const all: number[] = [];
  for (let run = 0; run < runs; run += 1) all.push(await timed(() => work(run)));
  return all;
}
