import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { DialError } from "@/lib/kernel/net/dial";

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Of a refusal only its first words are read. */
const MAX_REFUSAL_BYTES = 1024 * 1024;

/**
 * The body of an answer, which a server of a person's own may never end and whoever reads it may keep whole in memory: a refusal
 * ends at its limit and stays what it is, an answer breaks off, and the connection is closed.
 */
export function boundedBody(answer: IncomingMessage, ok: boolean, host: string): ReadableStream<Uint8Array> {
  let sizeBytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes <= (ok ? MAX_ANSWER_BYTES : MAX_REFUSAL_BYTES)) return controller.enqueue(chunk);
      if (!ok) return controller.terminate();
      throw new DialError("unreachable", `${host} sent more than ${MAX_ANSWER_BYTES / 1024 / 1024} MB in one answer.`);
    },
  });
  return (Readable.toWeb(answer) as ReadableStream<Uint8Array>).pipeThrough(limit);
}
