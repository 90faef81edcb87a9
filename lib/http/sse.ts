import { API_HEADERS } from "./respond";

/** One server-sent event: `id` is left out for what is not stored. */
export interface SseEvent {
  readonly id?: number | undefined;
  readonly data: unknown;
}

/**
 * Answers a stream of events. The source ends when its signal fires, which is when the reader goes away; a slow reader slows the
 * source, not the process. Errors end the stream: the reader comes back with its last id.
 */
export function sseResponse(request: Request, source: (signal: AbortSignal) => AsyncGenerator<SseEvent>): Response {
  const gone = new AbortController();
  request.signal.addEventListener("abort", () => gone.abort(), { once: true });
  const events = source(gone.signal);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await events.next();
        if (next.done) return controller.close();
        const { id, data } = next.value;
        controller.enqueue(encoder.encode(`${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`));
      } catch {
        controller.close();
      }
    },
    async cancel() {
      gone.abort();
      await events.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      ...API_HEADERS,
      "Content-Type": "text/event-stream; charset=utf-8",
      "X-Accel-Buffering": "no",
      Connection: "keep-alive",
    },
  });
}
