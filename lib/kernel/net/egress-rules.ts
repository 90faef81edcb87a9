import { isIP } from "node:net";
import { isPublicAddress } from "./address";

/** One entry of a list of hosts that may be reached: `host`, `*.host`, `host:port` (api.md, DORMOUSE_EGRESS_ALLOW). */
export interface EgressRule {
  /** In canonical form, without the `*.` of a wildcard and without brackets. */
  readonly host: string;
  readonly wildcard: boolean;
  /** Null means any port. */
  readonly port: number | null;
}

export interface Destination {
  readonly host: string;
  readonly port: number;
}

/**
 * What the rules say about a destination: `denied`; `public`, when it may be reached at public addresses only; `any`, when an
 * entry names this very host with this port, which is how an operator allows a private or loopback address.
 */
export type Verdict = "denied" | "public" | "any";

/**
 * The one spelling of a host that everything is compared in: lower case, IDN as punycode, no trailing dot, IPv4 in any
 * notation as four decimals, IPv6 shortest and without brackets. Null when `raw` is no host.
 */
export function canonicalHost(raw: string): string | null {
  // The URL parser silently drops or cuts at these, so that a check and a connection could see two different hosts.
  if (raw === "" || raw.length > 255 || /[\s/?#@\\%\p{Cc}]/u.test(raw)) return null;
  const bracketed = raw.startsWith("[") || !/:.*:/.test(raw) ? raw : `[${raw}]`;
  if (bracketed.includes(":") && !/^\[[^\]]*\]$/.test(bracketed)) return null;
  let host: string;
  try {
    host = new URL(`http://${bracketed}/`).hostname;
  } catch {
    return null;
  }
  host = host.startsWith("[") ? host.slice(1, -1) : host.replace(/\.$/, "");
  return host === "" || host.startsWith(".") || host.includes("..") ? null : host;
}

/** Reads `host`, `host:port`, `[v6]:port`. Null when malformed, or when there is no port and no `defaultPort`. */
export function parseDestination(authority: string, defaultPort?: number): Destination | null {
  const parts = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(authority);
  const host = canonicalHost(parts?.[1] ?? "");
  const port = parts?.[2] === undefined ? defaultPort : Number(parts[2]);
  if (host === null || port === undefined || port < 1 || port > 65_535) return null;
  return { host, port };
}

/** Reads one entry; null when it is malformed. `*` alone is malformed: there is no way to allow everything. */
export function parseEgressRule(entry: string): EgressRule | null {
  const text = entry.trim();
  const wildcard = text.startsWith("*.");
  const rest = wildcard ? text.slice(2) : text;
  if (rest.includes("*")) return null;
  if (isIP(rest) === 6) return wildcard ? null : { host: canonicalHost(rest) ?? rest, wildcard: false, port: null };
  // Port 0 cannot be written in an entry, so it can stand for "no port" here.
  const parts = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(rest);
  if (parts === null) return null;
  const destination = parseDestination(rest, 1);
  if (destination === null || (wildcard && isIP(destination.host) !== 0)) return null;
  return { host: destination.host, wildcard, port: parts[2] === undefined ? null : destination.port };
}

/** Reads many entries and leaves out malformed ones, which can only make the list narrower. */
export function parseEgressRules(entries: readonly string[]): readonly EgressRule[] {
  return entries.map(parseEgressRule).filter((rule) => rule !== null);
}

/** Decides about a destination, whose host must be in canonical form. A wildcard covers subdomains, not the domain itself. */
export function decideEgress(rules: readonly EgressRule[], { host, port }: Destination): Verdict {
  let verdict: Verdict = "denied";
  for (const rule of rules) {
    if (rule.port !== null && rule.port !== port) continue;
    if (rule.wildcard) {
      if (host.endsWith(`.${rule.host}`)) verdict = "public";
    } else if (host === rule.host) {
      if (rule.port !== null) return "any";
      verdict = "public";
    }
  }
  return verdict;
}

/** How a destination is written in an entry: `host:port`, with brackets around IPv6. */
export function formatDestination({ host, port }: Destination): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

/**
 * Whether the rules let a repository URL through, as far as can be told without resolving its name: the answer to "can
 * this start work?" before anything is started. Paths and `file:` URLs need no network and are always in.
 */
export function mayReach(url: string, allow: readonly string[]): boolean {
  if (url.startsWith("/") || url.startsWith("file:")) return true;
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return false;
  }
  const defaultPort = parsed.protocol === "https:" ? 443 : parsed.protocol === "http:" ? 80 : null;
  const destination = defaultPort === null ? null : parseDestination(parsed.host, defaultPort);
  if (destination === null) return false;
  const verdict = decideEgress(parseEgressRules(allow), destination);
  return verdict === "any" || (verdict === "public" && !isPlainlyPrivate(destination.host));
}

function isPlainlyPrivate(host: string): boolean {
  if (isIP(host) !== 0) return !isPublicAddress(host);
  return host === "localhost" || host.endsWith(".localhost");
}
