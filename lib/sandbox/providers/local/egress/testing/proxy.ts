import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach } from "vitest";
import { type EgressListener, type EgressOptions, listenEgress } from "../listen";

let folder: string;
let socketPath: string;
/** What the running test has opened; closed after it, newest first. */
const open: (() => unknown)[] = [];

/** A fresh place for the socket before each test of the file that calls this, and everything closed after it. */
export function proxyPerTest(): void {
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "egress-"));
    socketPath = path.join(folder, "egress.sock");
  });
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
    await rm(folder, { recursive: true, force: true });
  });
}

/** Where the proxy of the running test listens. */
export const socketOf = () => socketPath;

/** Lets the proxy listen in a folder inside of the usual one. */
export async function moveSocket(name: string): Promise<void> {
  await mkdir(path.join(folder, name));
  socketPath = path.join(folder, name, "egress.sock");
}

/** Has something closed after the running test, newest first. */
export function closeLater(close: () => unknown): void {
  open.push(close);
}

/** Opens the proxy of a sandbox. */
export async function listen(
  options: Partial<EgressOptions> & { allow?: string[]; gitRemote?: string | null } = {},
): Promise<EgressListener> {
  const { allow = [], gitRemote = null, ...rest } = options;
  const listener = await listenEgress({
    sandboxId: "s1",
    socketPath,
    policy: { allow, gitRemote },
    gateway: null,
    baseAllow: [],
    ...rest,
  });
  open.push(() => listener.close());
  return listener;
}

/** A server of the host, which counts what connects to it. */
export async function serve(
  handler: RequestListener,
): Promise<{ port: number; accepted: () => number; server: Server }> {
  const server = createServer(handler);
  let accepted = 0;
  server.on("connection", () => accepted++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, accepted: () => accepted, server };
}

/** A plain proxy request. */
export async function get(
  url: string,
  more: { method?: string; headers?: Record<string, string>; body?: string } = {},
) {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request({
      socketPath,
      path: url,
      method: more.method ?? "GET",
      headers: { host: "x", ...more.headers },
      agent: false,
    });
    outgoing.once("response", resolve).once("error", reject);
    outgoing.end(more.body);
  });
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

/** Sends raw bytes and gives back everything that is answered until the end. */
export async function raw(bytes: string): Promise<string> {
  const socket = connect(socketPath);
  socket.on("error", () => {});
  socket.write(bytes);
  return await text(socket);
}

/** A CONNECT; a refusal comes with its words. */
export async function tunnel(target: string): Promise<{ status: number; socket: Socket; body: string }> {
  return await new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, method: "CONNECT", path: target, agent: false });
    outgoing.once("error", reject);
    outgoing.once("connect", async (answer, socket, head) => {
      if (answer.statusCode !== 200)
        return resolve({ status: answer.statusCode ?? 0, socket, body: `${head}${await text(socket)}` });
      resolve({ status: 200, socket, body: "" });
    });
    outgoing.end();
  });
}

/** A resolver that knows these names only. */
export const names = (table: Record<string, string[]>) => async (host: string) =>
  (table[host] ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
