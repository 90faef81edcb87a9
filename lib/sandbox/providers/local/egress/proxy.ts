import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { GATEWAY_HOST, type GitGateway } from "@/lib/git/gateway";
import { DialError, dialChecked, type Lookup } from "@/lib/kernel/net/dial";
import { type Destination, decideEgress, type EgressRule, formatDestination } from "@/lib/kernel/net/egress-rules";
import { forwardRequest, joinTunnel } from "./forward";
import { isLoopbackName, nothingInsideText, readConnectTarget, readForwardTarget, refusalText } from "./policy";

/** Connects to a port on the loopback of the sandbox itself. */
export type DialInside = (port: number) => Promise<Duplex>;

/** What the proxy of one sandbox asks at every request, so that a change of the policy holds from the next one on. */
export interface ProxyContext {
  readonly rules: () => readonly EgressRule[];
  readonly gitRemote: () => string | null;
  readonly gateway: GitGateway | null;
  readonly lookup: Lookup | undefined;
  readonly dialInside: DialInside | undefined;
  /** Told about every refusal, for the log and the transcript. */
  readonly onRefused: (destination: string, reason: string) => void;
}

const REASON = {
  400: "Bad Request",
  403: "Forbidden",
  404: "Not Found",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
} as const;

interface Refusal {
  readonly status: keyof typeof REASON;
  readonly text: string;
}

/** Answers one plain proxy request. Never rejects. */
export async function handleForward(
  context: ProxyContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.on("error", () => {});
  try {
    const target = readForwardTarget(request.url ?? "");
    if (!target.ok) return refuse(response, { status: 400, text: `${target.error}\n` });
    if (target.value.host === GATEWAY_HOST) return await serveGit(context, target.value.port, request, response);
    const opened = await open(context, target.value);
    if ("status" in opened) return refuse(response, opened);
    if (response.destroyed) return void opened.destroy();
    await forwardRequest(request, response, opened, target.value);
  } catch {
    if (response.headersSent) response.destroy();
    else refuse(response, { status: 502, text: "The server broke off the connection.\n" });
  }
}

/** Answers one CONNECT. Never rejects. */
export async function handleConnect(
  context: ProxyContext,
  target: string,
  client: Socket,
  firstBytes: Buffer,
): Promise<void> {
  client.on("error", () => client.destroy());
  const destination = readConnectTarget(target);
  if (!destination.ok) return refuseConnect(client, { status: 400, text: `${destination.error}\n` });
  if (destination.value.host === GATEWAY_HOST) {
    return refuseConnect(client, { status: 403, text: `${GATEWAY_HOST} is served over plain http:// only.\n` });
  }
  const gone = new AbortController();
  const onGone = () => gone.abort();
  client.once("close", onGone);
  const opened = await open(context, destination.value, gone.signal).catch(
    (): Refusal => ({ status: 502, text: "The connection failed.\n" }),
  );
  client.off("close", onGone);
  if ("status" in opened) return refuseConnect(client, opened);
  if (client.destroyed) return void opened.destroy();
  joinTunnel(client, opened, firstBytes);
}

async function open(context: ProxyContext, destination: Destination, signal?: AbortSignal): Promise<Duplex | Refusal> {
  const name = formatDestination(destination);
  const verdict = decideEgress(context.rules(), destination);
  if (verdict !== "any" && context.dialInside && isLoopbackName(destination.host)) {
    // Clients send loopback here when NO_PROXY may not name it, because an entry allows one of the host's ports.
    return await context.dialInside(destination.port).catch((): Refusal => {
      return { status: 502, text: nothingInsideText(name) };
    });
  }
  if (verdict === "denied") {
    context.onRefused(name, "denied");
    return { status: 403, text: refusalText(name, "denied") };
  }
  try {
    return await dialChecked(destination, verdict, {
      ...(context.lookup ? { lookup: context.lookup } : {}),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (!(error instanceof DialError)) throw error;
    if (error.failure === "private_address") {
      context.onRefused(name, "private_address");
      return { status: 403, text: refusalText(name, "private_address") };
    }
    const timedOut = error.failure === "timeout";
    return { status: timedOut ? 504 : 502, text: `[${timedOut ? "timeout" : "unreachable"}] ${error.message}\n` };
  }
}

async function serveGit(
  context: ProxyContext,
  port: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const remote = context.gitRemote();
  if (port !== 80 || context.gateway === null || remote === null) {
    return refuse(response, { status: 404, text: `This sandbox has no repository behind ${GATEWAY_HOST}.\n` });
  }
  await context.gateway.serve(remote, request, response);
}

/** Answers a plain proxy request with words, and closes the connection. */
export function refuse(response: ServerResponse, { status, text }: Refusal): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" });
  response.end(text);
}

/** Answers a CONNECT with words, and closes the connection. */
export function refuseConnect(client: Socket, { status, text }: Refusal): void {
  client.on("error", () => client.destroy());
  const head = `HTTP/1.1 ${status} ${REASON[status]}\r\nContent-Type: text/plain; charset=utf-8\r\n`;
  client.end(`${head}Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`);
  // A peer that never reads the end must not keep the socket.
  client.setTimeout(5_000, () => client.destroy());
}
