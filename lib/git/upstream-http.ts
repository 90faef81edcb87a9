import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import { isIP } from "node:net";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { connect as tlsConnect } from "node:tls";
import { DialError, dialChecked, type Lookup } from "@/lib/kernel/net/dial";
import {
  decideEgress,
  type EgressRule,
  formatDestination,
  parseDestination,
  type Verdict,
} from "@/lib/kernel/net/egress-rules";

/** A server on which nothing moves for this long counts as lost, in milliseconds. Git servers send a keep-alive each 5 s. */
const IDLE_TIMEOUT_MS = 5 * 60_000;

/** The rules do not let the destination through. */
export class EgressDenied extends Error {
  constructor(readonly destination: string) {
    super(`${destination} is not allowed`);
    this.name = "EgressDenied";
  }
}

export interface UpstreamOptions {
  readonly rules: readonly EgressRule[];
  readonly lookup?: Lookup | undefined;
  /** Certificates trusted besides those of the system. */
  readonly ca?: readonly string[] | undefined;
}

/**
 * Sends one request to an upstream server, at an address that passed the egress rules, over a connection of its own.
 * Resolves with the head of the answer, whose body the caller must consume or destroy. Redirects are not followed.
 * Throws `EgressDenied` and `DialError`.
 */
export async function sendUpstream(
  url: URL,
  options: UpstreamOptions & {
    readonly method: "GET" | "POST";
    /** Made only when the destination is known to be allowed; told whether an entry names it with its port. */
    readonly headers: (verdict: Verdict) => OutgoingHttpHeaders;
    readonly body?: Readable;
    readonly signal: AbortSignal;
  },
): Promise<IncomingMessage> {
  const secure = url.protocol === "https:";
  const destination = parseDestination(url.host, secure ? 443 : 80);
  const verdict = destination === null ? "denied" : decideEgress(options.rules, destination);
  if (destination === null || verdict === "denied") {
    throw new EgressDenied(destination === null ? "This host" : formatDestination(destination));
  }
  const dial = { signal: options.signal, ...(options.lookup ? { lookup: options.lookup } : {}) };
  const plain = await dialChecked(destination, verdict, dial).catch((error: unknown) => {
    if (error instanceof DialError && error.failure === "private_address")
      throw new EgressDenied(formatDestination(destination));
    throw error;
  });
  const socket = secure ? await startTls(plain, destination.host, options.ca) : plain;

  const outgoing = httpRequest({
    createConnection: () => socket,
    method: options.method,
    path: `${url.pathname}${url.search}`,
    headers: { ...options.headers(verdict), host: url.host, connection: "close" },
    setHost: false,
    signal: options.signal,
  });
  const name = formatDestination(destination);
  outgoing.setTimeout(IDLE_TIMEOUT_MS, () => outgoing.destroy(new DialError("timeout", `${name} stopped answering.`)));
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once("response", resolve);
    const lost = (cause?: Error) =>
      reject(
        cause instanceof DialError ? cause : new DialError("unreachable", `${name} broke off the connection.`, cause),
      );
    outgoing.on("error", lost);
    outgoing.once("close", () => lost());
  });
  // A server may refuse before it has read the whole body; the answer counts, not the broken upload.
  if (options.body) pipeline(options.body, outgoing).catch(() => {});
  else outgoing.end();
  return await answered;
}

function startTls(plain: Socket, host: string, ca: readonly string[] | undefined): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = tlsConnect({
      socket: plain,
      host,
      ALPNProtocols: ["http/1.1"],
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(ca ? { ca: [...ca] } : {}),
    });
    const failed = (cause: Error & { code?: string }) => {
      plain.destroy();
      const certificate = /CERT|SELF_SIGNED|ISSUER|ALTNAME/.test(cause.code ?? "");
      const what = certificate ? "has a certificate that is not trusted" : "broke off the TLS handshake";
      reject(new DialError("unreachable", `${host} ${what}${cause.code ? ` (${cause.code})` : ""}.`, cause));
    };
    socket.setTimeout(15_000, () => socket.destroy(Object.assign(new Error("slow handshake"), { code: "ETIMEDOUT" })));
    socket.once("error", failed);
    socket.once("secureConnect", () => {
      socket.setTimeout(0);
      socket.off("error", failed);
      socket.on("error", () => {});
      resolve(socket);
    });
  });
}
