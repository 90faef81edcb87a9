/** Asks again until the answer satisfies `enough`, and gives that answer; fails with the last one seen. */
export async function poll<T>(
  ask: () => Promise<T>,
  enough: (value: T) => boolean,
  options: { timeoutMs?: number; everyMs?: number; what?: string } = {},
): Promise<T> {
  const timeoutMs = options.timeoutMs ?? 150_000;
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await ask();
    if (enough(value)) return value;
    if (performance.now() > deadline) {
      throw new Error(
        `gave up after ${timeoutMs} ms on ${options.what ?? "a condition"}; last: ${JSON.stringify(value)}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, options.everyMs ?? 150));
  }
}
