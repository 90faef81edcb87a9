import type { Verdict } from "@/lib/kernel/net/egress-rules";
import type { GitService } from "./gateway-request";

/** A redirect that is not followed; the message completes "the host did not serve the repository: …". */
export class RedirectRefused extends Error {}

export function refsUrl(base: string, service: GitService): string {
  return `${base}/info/refs?service=${service}`;
}

/**
 * Takes the address of the repository out of a redirect of its `info/refs`. As in git itself the ending must stay the
 * same, and https never becomes http. Throws `RedirectRefused`.
 */
export function redirectedBase(base: string, location: string, service: GitService): string {
  let target: URL;
  try {
    target = new URL(location, refsUrl(base, service));
  } catch {
    throw new RedirectRefused("it redirects to an address that cannot be read");
  }
  const ending = "/info/refs";
  if (!target.pathname.endsWith(ending) || target.username !== "" || target.password !== "") {
    throw new RedirectRefused("it redirects to a page that is not a repository");
  }
  const downgrade = base.startsWith("https:") && target.protocol !== "https:";
  if (downgrade || !/^https?:$/.test(target.protocol)) {
    throw new RedirectRefused("it redirects to an address that is not https");
  }
  return `${target.origin}${target.pathname.slice(0, -ending.length)}`;
}

/**
 * Whether the token of a repository's host goes along to `target`: on the same host and port, or on to https of the same
 * host, and nowhere else that a redirect leads. Over plain http only where an operator named the very host and port.
 */
export function isTokenAllowed(repository: URL, target: URL, verdict: Verdict): boolean {
  if (repository.hostname !== target.hostname) return false;
  if (target.protocol !== "https:" && verdict !== "any") return false;
  if (repository.protocol === target.protocol) return repository.port === target.port;
  return target.protocol === "https:" && repository.port === "" && target.port === "";
}

/** Every forge takes a token as the password of any user name; this is the name that GitHub documents. */
export function basicAuthorization(token: string): string {
  return `Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`;
}
