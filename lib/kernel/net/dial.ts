import { promises as dns, type LookupAddress } from "node:dns";
import { isIP, connect as netConnect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { isPublicAddress } from "./address";
import { type Destination, formatDestination, type Verdict } from "./egress-rules";

/** Resolves a name to all of its addresses; `dns.lookup` of the host unless a test passes another. */
export type Lookup = (host: string) => Promise<readonly LookupAddress[]>;

export type DialFailure = "private_address" | "unresolved" | "unreachable" | "timeout";

/** A connection that was refused or failed. The message names the destination and never an address behind it. */
export class DialError extends Error {
  readonly failure: DialFailure;
  constructor(failure: DialFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "DialError";
    this.failure = failure;
  }
}

const systemLookup: Lookup = (host) => dns.lookup(host, { all: true, verbatim: true });

/** Longest wait for a name or for a connection, in milliseconds. */
const DIAL_TIMEOUT_MS = 15_000;

/**
 * Connects to a destination that the rules let through. The name is resolved once, every address is checked, and the
 * connection goes to these checked addresses, so a name cannot point elsewhere between check and use (properties.md, S6).
 * One address that is not public refuses the whole name unless the verdict is `any`. Throws `DialError`.
 */
export async function dialChecked(
  destination: Destination,
  verdict: Exclude<Verdict, "denied">,
  options: { lookup?: Lookup; signal?: AbortSignal } = {},
): Promise<Socket> {
  const name = formatDestination(destination);
  const addresses = await resolve(destination.host, name, options.lookup ?? systemLookup);
  if (verdict !== "any" && !addresses.every(({ address }) => isPublicAddress(address) && !isOwnAddress(address))) {
    throw new DialError("private_address", `${name} is a private or loopback address.`);
  }
  options.signal?.throwIfAborted();
  return await open(addresses, destination.port, name, options.signal);
}

async function resolve(host: string, name: string, lookup: Lookup): Promise<readonly LookupAddress[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new DialError("timeout", `The name of ${name} took too long to resolve.`)),
        DIAL_TIMEOUT_MS,
      );
    });
    const found = await Promise.race([lookup(host), late]);
    if (found.length === 0) throw new DialError("unresolved", `The name of ${name} has no address.`);
    return found;
  } catch (cause) {
    if (cause instanceof DialError) throw cause;
    throw new DialError("unresolved", `The name of ${name} could not be resolved.`, cause);
  } finally {
    clearTimeout(timer);
  }
}

/** A public address of this very host leads to services that were never meant for the sandboxes. */
function isOwnAddress(address: string): boolean {
  return Object.values(networkInterfaces()).some((list) => list?.some((entry) => entry.address === address));
}

function open(addresses: readonly LookupAddress[], port: number, name: string, signal?: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = netConnect({
      // Never looked up: the function below answers with what was checked.
      host: "checked.invalid",
      port,
      allowHalfOpen: true,
      autoSelectFamily: true,
      lookup: (_host, wanted, done) => {
        const [first] = addresses;
        if (wanted.all) done(null, [...addresses]);
        else done(null, first?.address ?? "", first?.family);
      },
    });
    const timer = setTimeout(() => {
      socket.destroy(new DialError("timeout", `${name} did not answer within ${DIAL_TIMEOUT_MS / 1000} seconds.`));
    }, DIAL_TIMEOUT_MS);
    const abort = () => socket.destroy(new DialError("unreachable", `The connection to ${name} was given up.`));
    signal?.addEventListener("abort", abort, { once: true });
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
    socket.once("connect", () => {
      settle();
      socket.off("error", failed);
      // The caller adds its own listener; without any, an error between here and there would end the process.
      socket.on("error", () => {});
      socket.setNoDelay(true);
      resolve(socket);
    });
    const failed = (cause: Error) => {
      settle();
      reject(cause instanceof DialError ? cause : new DialError("unreachable", `${name} could not be reached.`, cause));
    };
    socket.once("error", failed);
  });
}
