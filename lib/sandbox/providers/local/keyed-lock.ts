/** Runs operations on the same key one after the other; different keys do not wait for each other. */
export class KeyedLock {
  private readonly tails = new Map<string, Promise<unknown>>();

  async run<T>(key: string, operation: () => Promise<T>): Promise<T> {
    const previous = this.tails.get(key) ?? Promise.resolve();
    const current = previous.then(operation, operation);
    const tail = current.catch(() => {});
    this.tails.set(key, tail);
    try {
      return await current;
    } finally {
      if (this.tails.get(key) === tail) this.tails.delete(key);
    }
  }

  /** Holds several keys, taken in one order everywhere so that two callers cannot wait for each other. */
  async runAll<T>(keys: readonly string[], operation: () => Promise<T>): Promise<T> {
    const [first, ...others] = [...new Set(keys)].sort();
    if (first === undefined) return operation();
    return this.run(first, () => this.runAll(others, operation));
  }
}
