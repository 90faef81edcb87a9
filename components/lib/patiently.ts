const TRIES = 10;
const LONGEST_WAIT_MS = 10_000;

/**
 * Loads a part of the page again and again while the network is away, for about a minute: `lazy` keeps a failed import for
 * ever, and the page with it. Fails with the last error.
 */
export function patiently<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  return async () => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await load();
      } catch (error) {
        if (tries === TRIES || typeof window === "undefined") throw error;
        await backOnline(Math.min(500 * 2 ** tries, LONGEST_WAIT_MS));
      }
    }
  };
}

/** Waits, but not after the network has come back. */
function backOnline(timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, timeoutMs);
    window.addEventListener("online", done);
  });
}
