import { isIP } from "node:net";
import { type Destination, parseDestination, parseEgressRules } from "@/lib/kernel/net/egress-rules";

export { mayReach } from "@/lib/kernel/net/egress-rules";

/**
 * What every sandbox may reach: public forges and package registries, with the hosts that their clients are sent on to.
 * Product data: an operator adds to it with DORMOUSE_EGRESS_ALLOW and never has to repeat it.
 */
export const BUILTIN_ALLOW: readonly string[] = [
  // Forges
  "github.com",
  "*.github.com",
  "*.githubusercontent.com",
  "gitlab.com",
  "bitbucket.org",
  "codeberg.org",
  "git.sr.ht",
  // JavaScript
  "registry.npmjs.org",
  "registry.yarnpkg.com",
  "repo.yarnpkg.com",
  "npm.jsr.io",
  "jsr.io",
  "deno.land",
  "nodejs.org",
  // Python
  "pypi.org",
  "files.pythonhosted.org",
  // Rust
  "crates.io",
  "static.crates.io",
  "index.crates.io",
  "static.rust-lang.org",
  // Go
  "proxy.golang.org",
  "sum.golang.org",
  "go.dev",
  "dl.google.com",
  // Ruby, PHP, Java, .NET, Elixir
  "rubygems.org",
  "index.rubygems.org",
  "repo.packagist.org",
  "packagist.org",
  "repo.maven.apache.org",
  "repo1.maven.org",
  "plugins.gradle.org",
  "plugins-artifacts.gradle.org",
  "services.gradle.org",
  "api.nuget.org",
  "hex.pm",
  "repo.hex.pm",
  "builds.hex.pm",
  // Linux distributions
  "deb.debian.org",
  "security.debian.org",
  "archive.ubuntu.com",
  "security.ubuntu.com",
  "ports.ubuntu.com",
  "dl-cdn.alpinelinux.org",
];

/** What a proxy request asks for, or why it cannot be read. */
export type ProxyTarget =
  | { readonly ok: true; readonly value: Destination }
  | { readonly ok: false; readonly error: string };

/** Reads the target of a CONNECT, which must name its port (RFC 9110, section 9.3.6). */
export function readConnectTarget(target: string): ProxyTarget {
  const destination = parseDestination(target);
  return destination === null
    ? { ok: false, error: "A CONNECT request must name a host and a port." }
    : { ok: true, value: destination };
}

/** An absolute-form request target, taken apart without a URL parser's repairs: the path goes upstream as it was written. */
export type ForwardTarget =
  | { readonly ok: true; readonly value: Destination & { readonly path: string; readonly authority: string } }
  | { readonly ok: false; readonly error: string };

/** Reads the target of a plain proxy request, `http://host[:port]/path` (RFC 9112, section 3.2.2). */
export function readForwardTarget(target: string): ForwardTarget {
  const parts = /^http:\/\/([^/?#]*)(\/[^#]*|\?[^#]*)?$/i.exec(target);
  if (parts === null) {
    return { ok: false, error: "This is an HTTP proxy: it takes CONNECT, and requests with a full http:// URL." };
  }
  const authority = parts[1] ?? "";
  if (authority.includes("@")) return { ok: false, error: "A URL with a user name or a password is refused." };
  const destination = parseDestination(authority, 80);
  if (destination === null) return { ok: false, error: "The URL names no valid host." };
  const rest = parts[2] ?? "";
  return { ok: true, value: { ...destination, path: rest.startsWith("/") ? rest : `/${rest}`, authority } };
}

/** Whether a canonical host is the loopback of whoever uses the name: inside a sandbox, the sandbox's own. */
export function isLoopbackName(host: string): boolean {
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "::1" ||
    (isIP(host) === 4 && host.startsWith("127."))
  );
}

/**
 * The value of NO_PROXY inside: loopback, which clients reach directly, but not a name of it under which the rules offer a
 * port of the host (design.md, section 7). The proxy leads all other ports of such a name back into the sandbox.
 */
export function noProxyValue(allow: readonly string[]): string {
  const offered = new Set(parseEgressRules(allow).flatMap(({ host, port }) => (port === null ? [] : [host])));
  return ["localhost", "127.0.0.1"].filter((host) => !offered.has(host)).join(",");
}

/** The plain-text answer to a refused destination. It says what to do, and nothing about the network behind the proxy. */
export function refusalText(name: string, reason: "denied" | "private_address"): string {
  const why =
    reason === "denied"
      ? `${name} is not on the list of hosts that sandboxes may reach.`
      : `${name} is a private or loopback address, which must be allowed by name with its port.`;
  return `[egress_denied] Dormouse refused this connection: ${why} Whoever runs Dormouse can allow it with the setting DORMOUSE_EGRESS_ALLOW=${name}\n`;
}

/** The answer to a loopback address on which nothing in the sandbox listens; perhaps the host was meant. */
export function nothingInsideText(name: string): string {
  return `[unreachable] Nothing listens on ${name} in this sandbox. If a port of the host is meant, whoever runs Dormouse can allow it with the setting DORMOUSE_EGRESS_ALLOW=${name}\n`;
}
