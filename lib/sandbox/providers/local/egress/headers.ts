import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";

/** Headers that belong to one connection and never travel on (RFC 9110, section 7.6.1), and those of the proxy itself. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * The headers of a message that travel on, repeated ones kept apart. What the message's own `Connection` header lists is
 * left out as well. A body of unknown length keeps its chunked framing, also for methods that rarely have a body.
 */
export function endToEndHeaders(message: IncomingMessage): OutgoingHttpHeaders {
  const named = (message.headers.connection ?? "").toLowerCase().split(",");
  const dropped = new Set([...HOP_BY_HOP, ...named.map((name) => name.trim())]);
  const kept: OutgoingHttpHeaders = {};
  for (const [name, values] of Object.entries(message.headersDistinct)) {
    if (!dropped.has(name) && values !== undefined) kept[name] = values.length === 1 ? values[0] : values;
  }
  return kept;
}

/** Whether a request carries a body whose length is not announced. */
export function isChunked(request: IncomingMessage): boolean {
  return request.headers["transfer-encoding"] !== undefined;
}
