import type { ServerResponse } from "node:http";

/** Why the gateway could not serve, as the classes that a failed start carries (api.md, "Calls"). */
export type GatewayFailure =
  | "egress_denied"
  | "not_found_or_private"
  | "push_refused"
  | "unreachable"
  | "timeout"
  | "unknown";

/** Git shows the body of a failed answer as `remote: …` only when it is `text/plain`. */
const PLAIN = "text/plain; charset=utf-8";

/**
 * Answers a request that cannot be served, in words that git prints. Never a 401: git would ask the agent for a
 * password. The class in brackets is what `classifyCloneFailure` looks for.
 */
export function answerFailure(response: ServerResponse, failure: GatewayFailure, text: string): void {
  if (response.destroyed) return;
  if (response.headersSent) {
    // Part of a pack is out already; cutting the connection is the only way to say that it is not whole.
    response.destroy();
    return;
  }
  response.writeHead(STATUS[failure], { "content-type": PLAIN, "cache-control": "no-store", connection: "close" });
  response.end(`[${failure}] ${text}\n`);
}

const STATUS: Readonly<Record<GatewayFailure, number>> = {
  egress_denied: 403,
  // Git then says "repository not found" by itself.
  not_found_or_private: 404,
  push_refused: 403,
  unreachable: 502,
  timeout: 504,
  unknown: 500,
};
