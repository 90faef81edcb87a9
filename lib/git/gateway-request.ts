import type { IncomingMessage } from "node:http";

export type GitService = "git-upload-pack" | "git-receive-pack";

/** The three requests of git's smart HTTP protocol (gitprotocol-http(5)). */
export interface GatewayRequest {
  readonly kind: "info-refs" | "rpc";
  readonly service: GitService;
  /**
   * What follows the repository's own URL, usually nothing. `insteadOf` rewrites by prefix, so that a fetch of `…/app-docs` in
   * the sandbox of `…/app` arrives here as well; it is served without a token, as if it had gone straight to its host.
   */
  readonly suffix: string;
  readonly neighbour: boolean;
}

/** Reads what a sandbox asks of the gateway, from an absolute or an origin-form target; null for everything else. */
export function readGatewayRequest(method: string, target: string): GatewayRequest | null {
  const parts = /^(?:http:\/\/[^/?#]*)?\/repo([\w.-]*(?:\/[\w.-]+)*?)\/(info\/refs|git-[a-z-]+)(?:\?([^#]*))?$/i.exec(
    target,
  );
  if (parts === null) return null;
  const [, suffix = "", rest, query] = parts;
  if (suffix.split("/").some((segment) => /^\.+$/.test(segment))) return null;
  const repository = { suffix, neighbour: suffix !== "" && suffix !== ".git" };
  if (method === "GET" && rest === "info/refs") {
    const service = new URLSearchParams(query).get("service");
    if (!isService(service) || (repository.neighbour && service !== "git-upload-pack")) return null;
    return { kind: "info-refs", service, ...repository };
  }
  if (method !== "POST" || query !== undefined || !isService(rest)) return null;
  return repository.neighbour && rest !== "git-upload-pack" ? null : { kind: "rpc", service: rest, ...repository };
}

function isService(text: string | null | undefined): text is GitService {
  return text === "git-upload-pack" || text === "git-receive-pack";
}

/** The value of the `Git-Protocol` header when it has the form that git sends, else null. It reaches an environment. */
export function readGitProtocol(request: IncomingMessage): string | null {
  const value = request.headers["git-protocol"];
  return typeof value === "string" && /^[A-Za-z0-9=:.,-]{1,128}$/.test(value) ? value : null;
}
