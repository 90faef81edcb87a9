import type { UIMessageChunk } from "ai";
import type { Db } from "@/lib/db/client";
import { type Execution, fence, LeaseLost } from "@/lib/db/lease";
import { appendEvents, type NewEvent } from "./stream-store";

/** Deltas are joined over about this long; longer when the database is slow (design.md, section 6). */
const FLUSH_EVERY_MS = 40;

/**
 * Writes what a step streams into the chat's events, in order, joined, and fenced by the execution's lease. One flush at a
 * time; what comes meanwhile goes into the next one. After the lease is lost nothing more is written.
 */
export class ChunkWriter {
  readonly #db: Db;
  readonly #execution: Execution;
  readonly #target: { readonly chatId: string; readonly turnId: string };
  readonly #onFlush: () => void;
  #pending: UIMessageChunk[] = [];
  #timer: NodeJS.Timeout | null = null;
  #flushing: Promise<void> = Promise.resolve();
  #failure: unknown = null;

  constructor(
    db: Db,
    execution: Execution,
    target: { readonly chatId: string; readonly turnId: string },
    onFlush: () => void = () => {},
  ) {
    this.#db = db;
    this.#execution = execution;
    this.#target = target;
    this.#onFlush = onFlush;
  }

  push(chunk: UIMessageChunk): void {
    const last = this.#pending.at(-1);
    if (
      last &&
      (chunk.type === "text-delta" || chunk.type === "reasoning-delta") &&
      last.type === chunk.type &&
      last.id === chunk.id
    ) {
      this.#pending[this.#pending.length - 1] = { ...last, delta: last.delta + chunk.delta };
    } else {
      this.#pending.push(chunk);
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.#flush();
    }, FLUSH_EVERY_MS);
  }

  /** Writes what is left. @throws LeaseLost, or what the database said */
  async close(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#flush();
    if (this.#failure) throw this.#failure;
  }

  #flush(): Promise<void> {
    this.#flushing = this.#flushing.then(async () => {
      const chunks = this.#pending;
      this.#pending = [];
      if (chunks.length === 0 || this.#failure instanceof LeaseLost) return;
      try {
        await this.#db.transaction(async (tx) => {
          await fence(tx, this.#execution);
          await appendEvents(
            tx,
            this.#target.chatId,
            chunks.map((chunk) => chunkEvent(this.#target.turnId, this.#execution.attempt, chunk)),
          );
        });
        this.#failure = null;
        this.#onFlush();
      } catch (error) {
        this.#failure = error;
        // Kept in order for the next flush: a short loss of the database loses no text.
        if (!(error instanceof LeaseLost)) this.#pending = [...chunks, ...this.#pending];
      }
    });
    return this.#flushing;
  }
}

export function chunkEvent(turnId: string, attempt: number, chunk: UIMessageChunk): NewEvent {
  return { kind: "delta", name: "chunk", source: "agent", turnId, attempt, data: { chunk } };
}
