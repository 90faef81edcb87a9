import { createParser } from "eventsource-parser";
import type { ChatEvent } from "@/lib/chat/contract";

/** An event as it came over the wire; `lineId` is the text of the `id:` line, undefined when there was none. */
export type StreamedEvent = ChatEvent & { readonly lineId?: string; readonly arrivedAtMs: number };

export interface ReadOptions {
  readonly after?: number | string;
  readonly until?: "turn-end";
  readonly view?: "actions";
  readonly lastEventId?: string;
  readonly signal?: AbortSignal;
}

interface Target {
  readonly url: string;
  readonly token: string;
}

/** Opens a stream and gives its events as they come. Fails when the answer is not 200 with `text/event-stream`. */
export async function* readEvents(
  target: Target,
  path: string,
  options: ReadOptions = {},
): AsyncGenerator<StreamedEvent> {
  const query = new URLSearchParams();
  for (const key of ["after", "until", "view"] as const) {
    const value = options[key];
    if (value !== undefined) query.set(key, String(value));
  }
  const glue = path.includes("?") ? "&" : "?";
  const response = await fetch(`${target.url}${path}${query.size > 0 ? glue + query : ""}`, {
    headers: {
      authorization: `Bearer ${target.token}`,
      accept: "text/event-stream",
      ...(options.lastEventId === undefined ? {} : { "last-event-id": options.lastEventId }),
    },
    ...(options.signal ? { signal: options.signal } : {}),
  });
  const type = response.headers.get("content-type") ?? "";
  if (response.status !== 200 || !type.startsWith("text/event-stream") || !response.body) {
    throw new Error(`${path} answered ${response.status} ${type}: ${await response.text()}`);
  }
  const arrived: StreamedEvent[] = [];
  const parser = createParser({
    onEvent(message) {
      const event = JSON.parse(message.data) as ChatEvent;
      const lineId = message.id === undefined ? {} : { lineId: message.id };
      arrived.push({ ...event, ...lineId, arrivedAtMs: performance.now() });
    },
  });
  const decoder = new TextDecoder();
  for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    yield* arrived.splice(0);
  }
}

/** Reads until an event satisfies `predicate` (that one included) or the server ends the stream. */
export async function collectUntil(
  target: Target,
  path: string,
  predicate: (event: StreamedEvent, all: readonly StreamedEvent[]) => boolean,
  options: ReadOptions & { timeoutMs?: number } = {},
): Promise<StreamedEvent[]> {
  const { timeoutMs = 150_000, ...read } = options;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), timeoutMs);
  const signal = read.signal ? AbortSignal.any([read.signal, limit.signal]) : limit.signal;
  const all: StreamedEvent[] = [];
  try {
    for await (const event of readEvents(target, path, { ...read, signal })) {
      all.push(event);
      if (predicate(event, all)) return all;
    }
    return all;
  } catch (error) {
    if (!limit.signal.aborted) throw error;
    const last = all.slice(-8).map((event) => JSON.stringify(event).slice(0, 300));
    throw new Error(`${path}: ${timeoutMs} ms passed after ${all.length} events; the last:\n${last.join("\n")}`);
  } finally {
    clearTimeout(timer);
    limit.abort();
  }
}
