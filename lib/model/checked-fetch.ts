import { request as httpRequest, type IncomingMessage } from "node:http";
import { isIP, type Socket } from "node:net";
import { connect as tlsConnect } from "node:tls";
import { DialError, dialChecked, type Lookup } from "@/lib/kernel/net/dial";
import { parseDestination } from "@/lib/kernel/net/egress-rules";
import { boundedBody } from "./bounded-body";

/** Longest wait for TLS to begin on a connection that stands, in milliseconds. */
const TLS_TIMEOUT_MS = 15_000;

/**
 * A `fetch` for addresses that a person named (properties.md, S6): the name is resolved once, every address is checked unless
 * `privateAllowed`, and the connection goes to what was checked. Redirects are not followed, since they could lead elsewhere.
 * @throws DialError
 */
export function createCheckedFetch(options: {
  readonly privateAllowed: boolean;
  readonly lookup?: Lookup;
}): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    // Before anything is connected: what is sent may fail to be read, and nobody would close the connection.
    const body = Buffer.from(await request.arrayBuffer());
    const answer = await exchange(url, request, body, options).catch((error: unknown) => {
      throw request.signal.aborted ? request.signal.reason : error;
    });
    const status = answer.statusCode ?? 0;
    const refuse = (what: string) => {
      answer.destroy();
      return new DialError("unreachable", `${url.host} ${what}`);
    };
    if (status >= 300 && status < 400) throw refuse("answers with a redirect. Enter the address that it leads to.");
    if (status < 200 || status > 599) throw refuse(`answers with status ${status}, which is none of HTTP.`);
    const empty = status === 204 || status === 205;
    // What comes none the less would be read for ever.
    if (empty) answer.destroy();
    return new Response(empty ? null : boundedBody(answer, status < 300, url.host), {
      status,
      headers: headersOf(answer),
    });
  };
}

async function exchange(
  url: URL,
  request: Request,
  body: Buffer,
  { privateAllowed, lookup }: Parameters<typeof createCheckedFetch>[0],
): Promise<IncomingMessage> {
  const secure = url.protocol === "https:";
  const destination = parseDestination(url.host, secure ? 443 : 80);
  if (destination === null) throw new DialError("unresolved", "This address cannot be read.");
  const { signal } = request;
  const plain = await dialChecked(destination, privateAllowed ? "any" : "public", {
    signal,
    ...(lookup ? { lookup } : {}),
  });
  try {
    return await send(secure ? await startTls(plain, destination.host, signal) : plain, url, request, body);
  } catch (error) {
    plain.destroy();
    throw error;
  }
}

function send(socket: Socket, url: URL, request: Request, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({
      createConnection: () => socket,
      method: request.method,
      path: `${url.pathname}${url.search}`,
      headers: {
        ...Object.fromEntries(request.headers),
        host: url.host,
        // Nothing here unpacks an answer.
        "accept-encoding": "identity",
        connection: "close",
        ...(body.length > 0 ? { "content-length": body.length } : {}),
      },
      setHost: false,
      signal: request.signal,
    });
    outgoing.once("response", resolve);
    const broke = (cause?: Error) =>
      reject(new DialError("unreachable", `${url.host} broke off the connection.`, cause));
    outgoing.once("error", broke);
    // Also without an error, as after an answer that wants another protocol.
    outgoing.once("close", () => broke());
    outgoing.end(body);
  });
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  return headers;
}

function startTls(plain: Socket, host: string, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = tlsConnect({ socket: plain, host, ...(isIP(host) === 0 ? { servername: host } : {}) });
    const late = `${host} did not begin TLS within ${TLS_TIMEOUT_MS / 1000} seconds.`;
    const timer = setTimeout(() => socket.destroy(new DialError("timeout", late)), TLS_TIMEOUT_MS);
    const abort = () => socket.destroy(new DialError("unreachable", `The connection to ${host} was given up.`));
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    };
    socket.once("error", (cause: Error & { code?: string }) => {
      settle();
      plain.destroy();
      if (cause instanceof DialError) return reject(cause);
      const certificate = /CERT|SELF_SIGNED|ISSUER|ALTNAME/.test(cause.code ?? "");
      const what = certificate ? "has a certificate that is not trusted" : "broke off the TLS handshake";
      reject(new DialError("unreachable", `${host} ${what}.`, cause));
    });
    socket.once("secureConnect", () => {
      settle();
      resolve(socket);
    });
  });
}
