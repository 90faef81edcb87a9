import { EventSourceParserStream } from "eventsource-parser/stream";
import type { ChatEvent } from "@/lib/chat/contract";

/** How the stream of the chat in view is doing. `gone`: the chat does not exist any more and nothing is tried again. */
export type ConnectionState = "connecting" | "live" | "retrying" | "paused" | "gone" | "signed-out";

export interface ConnectionOptions {
  /** Opens the stream after an event; rejects when the server cannot be reached. */
  readonly open: (after: number, signal: AbortSignal) => Promise<Response>;
  /** The last event that is contained already. */
  readonly after: number;
  /** Events in order, some 50 ms of them at a time. */
  readonly onEvents: (events: readonly ChatEvent[]) => void;
  readonly onState: (state: ConnectionState) => void;
}

type TimerName = "flush" | "silence" | "hidden" | "retry";

/** Updates of the page are collected this long: fewer renders, and no delay that a reader notices. */
const FLUSH_MS = 50;
/** The server sends a heartbeat each 15 s (api.md); after this long without one the line is dead. */
const SILENCE_MS = 40_000;
/** A hidden tab lets go of its stream after this long (design.md, section 6). */
const HIDDEN_MS = 30_000;
const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 15_000;

/**
 * One resumable stream of events. It reconnects with a growing pause, at once when the network or the tab comes back,
 * and always goes on after the last event that it saw. `close` ends it for good.
 */
export class ChatConnection {
  readonly #options: ConnectionOptions;
  #after: number;
  #batch: ChatEvent[] = [];
  #abort: AbortController | null = null;
  #failures = 0;
  #closed = false;
  readonly #timers: Partial<Record<TimerName, ReturnType<typeof setTimeout>>> = {};

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#after = options.after;
  }

  /** Opens the stream unless it is open. */
  connect(): void {
    if (this.#closed || this.#abort) return;
    this.#clear("retry");
    const abort = new AbortController();
    this.#abort = abort;
    this.#options.onState(this.#failures === 0 ? "connecting" : "retrying");
    void this.#run(abort);
  }

  /** Tells whether the page can be seen; a page that stays hidden lets go of the stream. */
  setVisible(visible: boolean): void {
    this.#clear("hidden");
    if (visible) {
      this.connect();
      return;
    }
    this.#set("hidden", HIDDEN_MS, () => this.#pause());
  }

  /** The network is back: no need to wait for the next try. */
  wake(): void {
    if (this.#timers.retry !== undefined) this.connect();
  }

  close(): void {
    this.#closed = true;
    this.#drop();
    for (const name of ["flush", "silence", "hidden", "retry"] as const) this.#clear(name);
  }

  #pause(): void {
    this.#drop();
    this.#clear("retry");
    this.#flush();
    this.#options.onState("paused");
  }

  #drop(): void {
    const abort = this.#abort;
    this.#abort = null;
    this.#clear("silence");
    abort?.abort();
  }

  async #run(abort: AbortController): Promise<void> {
    let response: Response | null = null;
    try {
      response = await this.#options.open(this.#after, abort.signal);
      if (this.#abort !== abort) return;
      if (response.ok && response.body) await this.#read(response.body, abort);
    } catch {
      // A broken line is what reconnecting is for; the reason makes no difference to it.
    }
    if (this.#abort !== abort) return;
    this.#drop();
    this.#flush();
    if (response && !response.ok && this.#isFinal(response.status)) return;
    this.#retryLater();
  }

  async #read(body: ReadableStream<Uint8Array>, abort: AbortController): Promise<void> {
    const events = body
      .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
      .pipeThrough(new EventSourceParserStream());
    this.#options.onState("live");
    this.#expectLife(abort);
    const reader = events.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done || this.#abort !== abort) return;
      this.#failures = 0;
      this.#expectLife(abort);
      this.#take(value.data);
    }
  }

  #take(text: string): void {
    let event: ChatEvent;
    try {
      event = JSON.parse(text) as ChatEvent;
    } catch {
      return;
    }
    if (event.kind === "heartbeat") return;
    if (event.seq !== undefined) this.#after = Math.max(this.#after, event.seq);
    this.#batch.push(event);
    if (this.#timers.flush === undefined) this.#set("flush", FLUSH_MS, () => this.#flush());
  }

  #flush(): void {
    this.#clear("flush");
    if (this.#batch.length === 0 || this.#closed) return;
    const batch = this.#batch;
    this.#batch = [];
    this.#options.onEvents(batch);
  }

  #expectLife(abort: AbortController): void {
    this.#set("silence", SILENCE_MS, () => {
      if (this.#abort !== abort) return;
      this.#drop();
      this.#retryLater();
    });
  }

  #isFinal(status: number): boolean {
    if (status === 401) this.#options.onState("signed-out");
    else if (status === 404 || status === 410) this.#options.onState("gone");
    else return false;
    this.#closed = true;
    return true;
  }

  #retryLater(): void {
    const pause = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#options.onState("retrying");
    // Half of the pause is chance, so that many tabs do not come back in the same moment.
    this.#set("retry", pause / 2 + (Math.random() * pause) / 2, () => this.connect());
  }

  #set(name: TimerName, ms: number, run: () => void): void {
    this.#clear(name);
    this.#timers[name] = setTimeout(() => {
      delete this.#timers[name];
      run();
    }, ms);
  }

  #clear(name: TimerName): void {
    clearTimeout(this.#timers[name]);
    delete this.#timers[name];
  }
}
