/** Waits `ms`, or until the signal fires; never throws. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
    signal?.addEventListener("abort", done, { once: true });
  });
}

/**
 * Milliseconds to wait before try number `failures + 1`: doubles from `baseMs` up to `maxMs`, with up to 20 % taken off
 * so that many waiters do not come back at once. `random` is in [0, 1).
 */
export function backoffMs(failures: number, baseMs: number, maxMs: number, random: number): number {
  const full = Math.min(maxMs, baseMs * 2 ** Math.max(0, failures - 1));
  return Math.round(full * (1 - 0.2 * random));
}

/** What `work` gives, or null as soon as the signal fires, for work that may not listen to it. What comes later is ignored. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const done = (settle: () => void) => {
      signal.removeEventListener("abort", onAbort);
      settle();
    };
    const onAbort = () => done(() => resolve(null));
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    work.then(
      (value) => done(() => resolve(value)),
      (error: unknown) => done(() => reject(error)),
    );
  });
}
