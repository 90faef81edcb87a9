import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { endToEndHeaders, isChunked } from "./headers";

/** A request or a tunnel on which nothing moves for this long is cut, in milliseconds. */
export const IDLE_TIMEOUT_MS = 5 * 60_000;

/** Sends a plain proxy request over a connection that is already open, and its answer back. Rejects when either side breaks off. */
export async function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  upstream: Duplex,
  target: { readonly path: string; readonly authority: string },
): Promise<void> {
  const headers = { ...endToEndHeaders(request), host: target.authority, connection: "close" };
  const outgoing = httpRequest({
    createConnection: () => upstream,
    method: request.method ?? "GET",
    path: target.path,
    headers: isChunked(request) ? { ...headers, "transfer-encoding": "chunked" } : headers,
    setHost: false,
  });
  // A connection may come paused, and only whoever reads it by hand would wake it.
  outgoing.once("socket", () => upstream.resume());
  // Both directions run at once: a server may answer before it has read the whole request.
  outgoing.setTimeout(IDLE_TIMEOUT_MS, () => outgoing.destroy(new Error("idle")));
  response.once("close", () => outgoing.destroy());
  const sent = pipeline(request, outgoing).catch(() => {});
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once("response", resolve);
    outgoing.once("error", reject);
    outgoing.once("close", () => reject(new Error("closed without an answer")));
  });
  outgoing.on("error", () => {});
  response.writeHead(answer.statusCode ?? 502, endToEndHeaders(answer));
  await pipeline(answer, response);
  outgoing.destroy();
  await sent;
}

/** Joins the two ends of a tunnel until both have ended, either breaks or nothing moves for long. */
export function joinTunnel(client: Socket, upstream: Duplex, firstBytes: Buffer): void {
  for (const [from, to] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    if (from instanceof Socket) from.setTimeout(IDLE_TIMEOUT_MS, () => from.destroy());
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroy());
  }
  client.write("HTTP/1.1 200 Connection established\r\n\r\n");
  if (firstBytes.length > 0) upstream.write(firstBytes);
  client.pipe(upstream);
  upstream.pipe(client);
}
