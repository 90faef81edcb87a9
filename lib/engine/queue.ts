import type { Queue, QueuePrefix, ValidQueueName } from "@workflow/world";
import { parseQueueName } from "@workflow/world";
import { newId } from "@/lib/kernel/ids";
import { errorText, type Log } from "@/lib/kernel/log";
import { processGlobal } from "@/lib/kernel/process-global";
import { backoffMs } from "@/lib/kernel/retry";

type Handler = Parameters<Queue["createQueueHandler"]>[1];
type Delivery = Parameters<Handler>[0];

/** Longest nap of one timer; a longer sleep is napped in pieces. */
const MAX_NAP_MS = 60 * 60_000;
const REMEMBERED_KEYS = 10_000;

/** Handlers of the SDK's two routes, registered by whichever bundle was loaded. */
const handlers = processGlobal("workflow-handlers", () => new Map<string, Handler>());

export interface EngineQueue extends Queue {
  /** Whether both routes of the SDK have registered. */
  ready(): boolean;
  /** Deliveries that are under way. */
  running(): number;
  /** Takes no new work; what runs goes on. */
  drain(): void;
}

/**
 * The queue of a process: deliveries are calls, not requests. Nothing in it survives the process, and nothing has to: runs are
 * disposable, and the reconciler of the next process drives their rows anew (ADR "Rows over runs"). Deliveries of one run are made
 * one after the other, those of one step once; there is no limit on how many steps wait in a command at a time.
 */
export function createEngineQueue(log: Log, concurrency: number): EngineQueue {
  const chains = new Map<string, Promise<void>>();
  const finished = new Set<string>();
  const inFlight = new Set<string>();
  const waiting: (() => void)[] = [];
  let running = 0;
  let draining = false;

  async function acquire(): Promise<void> {
    if (running >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
  }

  function releaseSlot(): void {
    running -= 1;
    waiting.shift()?.();
  }

  async function deliver(
    name: ValidQueueName,
    message: Delivery,
    messageId: string,
    attempt: number,
    key: string | undefined,
  ): Promise<void> {
    if (draining) return;
    const { prefix } = parseQueueName(name);
    const handler = handlers.get(prefix);
    if (!handler) return later(100, () => deliver(name, message, messageId, attempt, key));
    await acquire();
    try {
      const answer = await handler(message, { attempt, queueName: name, messageId: messageId as never });
      const pauseSeconds = answer && "timeoutSeconds" in answer ? answer.timeoutSeconds : undefined;
      if (typeof pauseSeconds === "number")
        nap(pauseSeconds * 1000, () => enqueue(name, message, messageId, attempt + 1, key));
      else remember(key);
    } catch (error) {
      log.warn("workflow delivery failed", { queue: name, attempt, error: errorText(error) });
      later(backoffMs(attempt, 200, 10_000, Math.random()), () => enqueue(name, message, messageId, attempt + 1, key));
    } finally {
      releaseSlot();
      if (key) inFlight.delete(key);
    }
  }

  function enqueue(
    name: ValidQueueName,
    message: Delivery,
    messageId: string,
    attempt: number,
    key: string | undefined,
  ): void {
    if (key) {
      if (finished.has(key) || inFlight.has(key)) return;
      inFlight.add(key);
    }
    const chain = parseQueueName(name).kind === "workflow" ? runIdOf(message) : undefined;
    if (!chain) return void deliver(name, message, messageId, attempt, key);
    const next = (chains.get(chain) ?? Promise.resolve()).then(() => deliver(name, message, messageId, attempt, key));
    chains.set(chain, next);
    void next.finally(() => {
      if (chains.get(chain) === next) chains.delete(chain);
    });
  }

  function remember(key: string | undefined): void {
    if (!key) return;
    finished.add(key);
    if (finished.size > REMEMBERED_KEYS) finished.delete(finished.values().next().value ?? key);
  }

  function later(ms: number, action: () => unknown): void {
    setTimeout(action, ms).unref();
  }

  function nap(ms: number, action: () => void): void {
    if (ms <= MAX_NAP_MS) later(ms, action);
    else later(MAX_NAP_MS, () => nap(ms - MAX_NAP_MS, action));
  }

  return {
    async getDeploymentId() {
      return "dormouse";
    },
    async queue(name, message, options) {
      const messageId = `msg_${newId()}`;
      nap((options?.delaySeconds ?? 0) * 1000, () => enqueue(name, message, messageId, 1, options?.idempotencyKey));
      return { messageId: messageId as never };
    },
    createQueueHandler(prefix: QueuePrefix, handler: Handler) {
      handlers.set(prefix, handler);
      // The routes exist only so that their bundles get loaded; no delivery ever comes over HTTP (properties.md, S1).
      return async () => new Response(null, { status: 404 });
    },
    ready: () => handlers.size >= 2,
    running: () => running,
    drain() {
      draining = true;
    },
  };
}

function runIdOf(message: Delivery): string | undefined {
  return typeof message === "object" && message !== null && "runId" in message && typeof message.runId === "string"
    ? message.runId
    : undefined;
}
