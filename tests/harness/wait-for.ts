export interface WaitOptions {
  readonly timeoutMs?: number;
  readonly everyMs?: number;
  /** Named when the time is over. */
  readonly what?: string;
}

/**
 * Asks again until the answer is neither false, null nor undefined, and returns it. A question that throws counts as
 * "not yet"; what it threw last is the cause of the failure.
 * @throws Error after `timeoutMs` (60 s by default)
 */
export async function waitFor<T>(
  ask: () => T | Promise<T>,
  { timeoutMs = 60_000, everyMs = 50, what = "the condition" }: WaitOptions = {},
): Promise<NonNullable<Exclude<Awaited<T>, false>>> {
  const deadline = performance.now() + timeoutMs;
  let cause: unknown;
  for (;;) {
    try {
      const answer = await ask();
      if (answer !== false && answer !== null && answer !== undefined) {
        return answer as NonNullable<Exclude<Awaited<T>, false>>;
      }
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > deadline) throw new Error(`${what} did not come true within ${timeoutMs} ms`, { cause });
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
