/** Methods that change nothing. */
const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Whether a cookie call that changes something comes from our own pages (properties.md, S12): the browser's own word first
 * (`Sec-Fetch-Site`), then `Origin` against the host that was asked. A call that says neither is refused.
 */
export function isOwnOrigin(method: string, headers: Headers): boolean {
  if (SAFE.has(method)) return true;
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin") return false;
  const origin = headers.get("origin");
  if (origin === null) return site === "same-origin";
  return hostOf(origin) === headers.get("host");
}

function hostOf(origin: string): string | null {
  try {
    return new URL(origin).host;
  } catch {
    return null;
  }
}

/** Headers for a foreign origin that may call with a bearer token; none for any other. */
export function corsHeaders(origin: string | null, allowed: readonly string[]): Record<string, string> {
  if (origin === null || !allowed.includes(origin)) return {};
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Allow-Methods": "GET, POST, PATCH, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Last-Event-ID",
    "Access-Control-Expose-Headers": "X-Request-Id, Retry-After",
    "Access-Control-Max-Age": "600",
    Vary: "Origin",
  };
}
