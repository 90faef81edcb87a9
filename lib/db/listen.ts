import { sql } from "drizzle-orm";
import { Client } from "pg";
import { pause } from "@/lib/kernel/retry";
import type { Queryable } from "./client";

/** What changed, by id only. A hint: the rows are the truth (design.md, section 6). */
export type Topic = "chat" | "turn" | "sandbox" | "start";

const CHANNEL = "dormouse";
/** Readers look at the rows this often even if no hint comes (properties.md, R11). */
export const POLL_FALLBACK_MS = 4_000;

/** A connection that does not answer a test in time is given up, so that a half-open one does not go unnoticed. */
const TEST_EVERY_MS = 10_000;
const TEST_PATIENCE_MS = 5_000;

/** Sends a hint when the transaction commits. */
export async function notify(tx: Queryable, topic: Topic, id: string): Promise<void> {
  await tx.execute(sql`SELECT pg_notify(${CHANNEL}, ${`${topic}:${id}`})`);
}

export interface Listener {
  /** Calls back on every hint for `id`, and after each reconnect, since hints may have been missed. Returns the undo. */
  subscribe(topic: Topic, id: string, callback: () => void): () => void;
  /** Calls back on every hint of a topic. */
  subscribeAll(callback: (topic: Topic | "reconnect") => void): () => void;
  /** Whether the connection is up; for the readiness check. */
  connected(): boolean;
  close(): Promise<void>;
}

/**
 * One LISTEN connection per process. It reconnects by itself and is tested every 10 s.
 */
export function createListener(databaseUrl: string): Listener {
  const byId = new Map<string, Set<() => void>>();
  const all = new Set<(topic: Topic | "reconnect") => void>();
  const stop = new AbortController();
  let client: Client | null = null;
  let up = false;

  function dispatch(payload: string): void {
    const topic = payload.slice(0, payload.indexOf(":"));
    for (const callback of [...(byId.get(payload) ?? [])]) callback();
    for (const callback of [...all]) callback(topic as Topic);
  }

  function wakeEverybody(): void {
    for (const callbacks of [...byId.values()]) for (const callback of [...callbacks]) callback();
    for (const callback of [...all]) callback("reconnect");
  }

  async function connectOnce(): Promise<void> {
    const next = new Client({
      connectionString: databaseUrl,
      keepAlive: true,
      connectionTimeoutMillis: 3_000,
      application_name: "dormouse-listen",
    });
    const lost = new AbortController();
    next.on("error", () => lost.abort());
    next.on("end", () => lost.abort());
    const over = AbortSignal.any([lost.signal, stop.signal]);
    next.on("notification", (message) => dispatch(message.payload ?? ""));
    try {
      await next.connect();
      await next.query(`LISTEN ${CHANNEL}`);
      client = next;
      up = true;
      wakeEverybody();
      for (;;) {
        await pause(TEST_EVERY_MS, over);
        if (over.aborted) return;
        const test = next.query("SELECT 1").then(
          () => true,
          () => false,
        );
        if (!(await Promise.race([test, pause(TEST_PATIENCE_MS, over).then(() => false)]))) return;
      }
    } finally {
      up = false;
      client = null;
      void next.end().catch(() => {});
    }
  }

  const loop = (async () => {
    while (!stop.signal.aborted) {
      await connectOnce().catch(() => {});
      await pause(500, stop.signal);
    }
  })();

  return {
    subscribe(topic, id, callback) {
      const key = `${topic}:${id}`;
      const callbacks = byId.get(key) ?? new Set();
      callbacks.add(callback);
      byId.set(key, callbacks);
      return () => {
        callbacks.delete(callback);
        if (callbacks.size === 0) byId.delete(key);
      };
    },
    subscribeAll(callback) {
      all.add(callback);
      return () => all.delete(callback);
    },
    connected: () => up,
    async close() {
      stop.abort();
      void (client as Client | null)?.end().catch(() => {});
      await loop;
    },
  };
}
