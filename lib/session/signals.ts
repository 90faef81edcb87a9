import type { Listener, Topic } from "@/lib/db/listen";

const HEARTBEAT_MS = 15_000;

export interface Woken {
  readonly sandbox: boolean;
  readonly start: boolean;
  /** The fallback interval passed: look at everything. */
  readonly polled: boolean;
  readonly heartbeat: boolean;
}

/** Collects hints between two looks of a reader, so that none is missed while it writes. */
export class Signals {
  readonly #undo: (() => void)[];
  readonly #signal: AbortSignal;
  #pending = new Set<Topic>();
  #wake: (() => void) | null = null;
  #lastBeat = performance.now();

  constructor(listener: Listener, signal: AbortSignal, topics: Partial<Record<Topic, string>>) {
    this.#signal = signal;
    this.#undo = Object.entries(topics).map(([topic, id]) =>
      listener.subscribe(topic as Topic, id, () => {
        this.#pending.add(topic as Topic);
        this.#wake?.();
      }),
    );
  }

  /** Waits for a hint, for the reader to go away, or for `ms`. */
  async next(ms: number): Promise<Woken> {
    let polled = false;
    if (this.#pending.size === 0 && !this.#signal.aborted) {
      polled = await new Promise<boolean>((resolve) => {
        const untilBeatMs = HEARTBEAT_MS - (performance.now() - this.#lastBeat);
        const timer = setTimeout(() => done(true), Math.max(0, Math.min(ms, untilBeatMs)));
        const done = (timedOut: boolean) => {
          clearTimeout(timer);
          this.#wake = null;
          this.#signal.removeEventListener("abort", onAbort);
          resolve(timedOut);
        };
        const onAbort = () => done(false);
        this.#signal.addEventListener("abort", onAbort, { once: true });
        this.#wake = () => done(false);
      });
    }
    const pending = this.#pending;
    this.#pending = new Set();
    const heartbeat = performance.now() - this.#lastBeat >= HEARTBEAT_MS;
    if (heartbeat) this.#lastBeat = performance.now();
    return { sandbox: pending.has("sandbox"), start: pending.has("start"), polled, heartbeat };
  }

  close(): void {
    for (const undo of this.#undo) undo();
  }
}
