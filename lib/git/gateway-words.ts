import { DialError } from "@/lib/kernel/net/dial";
import type { GatewayFailure } from "./gateway-answer";
import { RedirectRefused } from "./gateway-redirect";
import type { GatewayRequest } from "./gateway-request";
import type { RepoRemote } from "./remote";
import { EgressDenied } from "./upstream-http";

/** What the words about a refused request depend on. The token itself never gets into them. */
export interface AskingWords {
  readonly remote: RepoRemote;
  readonly wanted: GatewayRequest;
  readonly token: string | undefined;
  /** A token is set and was not sent, because the connection is not encrypted. */
  readonly withheld: boolean;
}

export type Words = readonly [failure: GatewayFailure, text: string];

/** What to tell about an answer that is no git answer: who refused, why that may be, and which setting helps. */
export function wordsForStatus(asking: AskingWords, status: number): Words {
  const { remote, wanted } = asking;
  if (status === 401 || status === 403 || status === 404) {
    return wanted.service === "git-receive-pack"
      ? ["push_refused", `${remote.host} did not let us push to ${remote.label}. ${tokenAdvice(asking)}`]
      : [
          "not_found_or_private",
          `${remote.label} was not found at ${remote.host}, or it is private. ${tokenAdvice(asking)}`,
        ];
  }
  if (status === 429) return ["unreachable", `${remote.host} asks for fewer requests. Try again later.`];
  if (status >= 500) return ["unreachable", `${remote.host} answered with the error ${status}.`];
  return [
    "not_found_or_private",
    `${remote.url} is not a git repository: ${remote.host} did not answer as a git server does.`,
  ];
}

/** What to tell about a request that got no answer. */
export function wordsForError(remote: RepoRemote, error: unknown): Words {
  if (error instanceof EgressDenied) {
    const advice = `Whoever runs Dormouse can allow it with the setting DORMOUSE_EGRESS_ALLOW=${error.destination}`;
    return ["egress_denied", `${error.destination} is not on the list of hosts that sandboxes may reach. ${advice}`];
  }
  if (error instanceof RedirectRefused)
    return ["unreachable", `${remote.host} did not serve ${remote.label}: ${error.message}.`];
  if (error instanceof DialError) return [error.failure === "timeout" ? "timeout" : "unreachable", error.message];
  return ["unreachable", `${remote.host} broke off the connection.`];
}

function tokenAdvice({ remote, wanted, token, withheld }: AskingWords): string {
  if (wanted.neighbour) return "Only the repository of this session is asked for with a token.";
  if (withheld) {
    return `A token is set for ${remote.host}, but was not sent: it goes to this host only, and not over http://. Check the URL.`;
  }
  return token === undefined
    ? `No token is set for ${remote.host}. Whoever runs Dormouse can set one with DORMOUSE_GIT_TOKENS=${remote.host}=<token>.`
    : `The token that DORMOUSE_GIT_TOKENS sets for ${remote.host} was used: it is wrong or expired, or gives no access.`;
}
