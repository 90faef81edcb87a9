import type { Log } from "@/lib/kernel/log";
import type { Lookup } from "@/lib/kernel/net/dial";
import { parseEgressRules } from "@/lib/kernel/net/egress-rules";
import type { GitGateway } from "./gateway";
import { answerFailure } from "./gateway-answer";
import { serveLocal } from "./gateway-local";
import { readGatewayRequest } from "./gateway-request";
import { createHttpUpstream } from "./gateway-upstream";
import { parseRepoUrl } from "./remote";

export interface GitGatewayOptions {
  /** DORMOUSE_GIT_TOKENS: host, or host with port, in lower case → token. */
  readonly tokens: ReadonlyMap<string, string>;
  /** DORMOUSE_ALLOW_LOCAL_REPOS. */
  readonly allowLocal: boolean;
  /** The built-in list of hosts and DORMOUSE_EGRESS_ALLOW. */
  readonly allow: readonly string[];
  /** Folders that are never served as local repositories: pass the data directory. */
  readonly forbiddenFolders?: readonly string[];
  readonly log?: Log;
  /** Resolves names; the resolver of this host when absent. */
  readonly lookup?: Lookup;
  /** PEM certificates to trust instead of the system's. */
  readonly ca?: readonly string[];
}

const OWN_ONLY = "This sandbox reaches its own repository here, with git, and nothing else.";

/**
 * Makes the gateway through which sandboxes reach their repository (design.md, section 7). Credentials stay on this side:
 * no answer, log line or error carries one. A request that cannot be served is answered in words that git prints.
 */
export function createGitGateway(options: GitGatewayOptions): GitGateway {
  const http = createHttpUpstream({
    tokens: options.tokens,
    rules: parseEgressRules(options.allow),
    log: options.log,
    lookup: options.lookup,
    ca: options.ca,
  });
  const local = { forbidden: options.forbiddenFolders ?? [], log: options.log };

  return {
    async serve(remote, request, response) {
      response.on("error", () => {});
      request.on("error", () => {});
      const wanted = readGatewayRequest(request.method ?? "", request.url ?? "");
      if (wanted === null) {
        return answerFailure(response, "not_found_or_private", OWN_ONLY);
      }
      const parsed = parseRepoUrl(remote, { allowLocal: options.allowLocal });
      if (!parsed.ok) return answerFailure(response, "not_found_or_private", parsed.error.message);
      const own = parsed.value;
      if (own.kind !== "local") {
        const suffix = wanted.neighbour ? wanted.suffix : "";
        const asked = suffix === "" ? own : { ...own, url: own.url + suffix, label: own.label + suffix };
        return await http.serve(asked, wanted, request, response);
      }
      if (wanted.neighbour) return answerFailure(response, "not_found_or_private", OWN_ONLY);
      await serveLocal(local, own, wanted, request, response);
    },
  };
}
