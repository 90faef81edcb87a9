import { randomBytes } from "node:crypto";
import { chmod, chown, lstat, open, rename, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";
import path from "node:path";
import type { GitGateway } from "@/lib/git/gateway";
import type { Lookup } from "@/lib/kernel/net/dial";
import { parseEgressRules } from "@/lib/kernel/net/egress-rules";
import type { NetworkPolicy } from "@/lib/sandbox/provider";
import { IDLE_TIMEOUT_MS } from "./forward";
import { type DialInside, handleConnect, handleForward, refuse, refuseConnect } from "./proxy";

/** The only way out of one sandbox: an HTTP proxy on a unix socket of its own (design.md, section 7). */
export interface EgressListener {
  /** Holds for every new connection and request from now on; open tunnels stay. */
  setPolicy(policy: NetworkPolicy): void;
  /** Cuts every connection and removes the socket. Idempotent. */
  close(): Promise<void>;
}

export interface EgressOptions {
  readonly sandboxId: string;
  /** Absolute path of the socket. A socket that a crash left there is replaced. */
  readonly socketPath: string;
  readonly policy: NetworkPolicy;
  readonly gateway: GitGateway | null;
  /** The built-in list and DORMOUSE_EGRESS_ALLOW, on top of what the policy of the sandbox allows. */
  readonly baseAllow: readonly string[];
  /** Who inside may connect; the socket is mode 600. The user of this process when absent. */
  readonly socketOwner?: { readonly uid: number; readonly gid: number };
  /** Resolves names; the resolver of this host when absent. */
  readonly lookup?: Lookup;
  /**
   * Where `localhost` leads to when no entry names it with that port: into the sandbox. Without it such requests are refused.
   * With it, NO_PROXY may leave out a loopback host that the rules name, and the sandbox's own dev servers stay reachable.
   */
  readonly dialInside?: DialInside;
  readonly onRefused?: (event: { sandboxId: string; destination: string; reason: string }) => void;
}

/** Connections that one sandbox may hold open at a time. Package managers use up to about 50. */
const MAX_CONNECTIONS = 64;
const TOO_MANY = { status: 503, text: `This sandbox has ${MAX_CONNECTIONS} connections open already.\n` } as const;
const HEADERS_TIMEOUT_MS = 30_000;

/** Opens the proxy of one sandbox. Rejects when the socket cannot be made; afterwards nothing that a peer does ends the process. */
export async function listenEgress(options: EgressOptions): Promise<EgressListener> {
  let policy = options.policy;
  const parse = () => parseEgressRules([...options.baseAllow, ...policy.allow]);
  let rules = parse();
  const context = {
    rules: () => rules,
    gitRemote: () => policy.gitRemote,
    gateway: options.gateway,
    lookup: options.lookup,
    dialInside: options.dialInside,
    onRefused: (destination: string, reason: string) =>
      options.onRefused?.({ sandboxId: options.sandboxId, destination, reason }),
  };

  const sockets = new Set<Socket>();
  const surplus = new WeakSet<object>();
  // The check of header timeouts runs every 30 s by default, which would double the limit.
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: 0,
    requireHostHeader: false,
    connectionsCheckingInterval: 5_000,
  });
  server.timeout = IDLE_TIMEOUT_MS;
  server.on("connection", (socket: Socket) => {
    socket.on("error", () => socket.destroy());
    // Over the limit an answer with words; a peer that goes on opening gets none.
    if (sockets.size >= 2 * MAX_CONNECTIONS) return void socket.destroy();
    if (sockets.size >= MAX_CONNECTIONS) surplus.add(socket);
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("request", (request, response) => {
    if (surplus.has(request.socket)) refuse(response, TOO_MANY);
    else void handleForward(context, request, response);
  });
  server.on("connect", (request, socket, head) => {
    if (surplus.has(socket)) refuseConnect(socket as Socket, TOO_MANY);
    else void handleConnect(context, request.url ?? "", socket as Socket, head);
  });
  server.on("clientError", (_error, socket) => {
    if (socket.writable) socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
    else socket.destroy();
  });

  const close = await bind(server, options.socketPath, options.socketOwner);
  return {
    setPolicy(next) {
      policy = next;
      rules = parse();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await close();
    },
  };
}

/**
 * Listens under a temporary name and renames it into place: there is no moment without a socket, and the server, which
 * unlinks its own name when it closes, cannot remove the socket of its successor. The folder is opened and named through
 * `/proc/self/fd`, because the path of a unix socket may have 107 bytes only. Returns how to close it again.
 */
async function bind(
  server: Server,
  socketPath: string,
  owner: EgressOptions["socketOwner"],
): Promise<() => Promise<void>> {
  const folder = await open(path.dirname(socketPath), "r");
  const temporary = `/proc/self/fd/${folder.fd}/.${randomBytes(6).toString("hex")}`;
  const place = `/proc/self/fd/${folder.fd}/${path.basename(socketPath)}`;
  let inode: bigint;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ path: temporary, backlog: 128 }, () => {
        server.off("error", reject);
        resolve();
      });
    });
    await chmod(temporary, 0o600);
    if (owner) await chown(temporary, owner.uid, owner.gid);
    await rename(temporary, place);
    inode = await inodeOf(place);
  } catch (error) {
    server.close();
    await rm(temporary, { force: true });
    await folder.close();
    throw error;
  }
  server.on("error", () => {});
  server.unref();
  let closing: Promise<void> | undefined;
  return () => {
    closing ??= (async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      if ((await inodeOf(place).catch(() => null)) === inode) await rm(place, { force: true });
      await folder.close();
    })();
    return closing;
  };
}

async function inodeOf(file: string): Promise<bigint> {
  return (await lstat(file, { bigint: true })).ino;
}
