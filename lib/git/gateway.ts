import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Serves one repository to one sandbox over plain git smart HTTP at `http://git.internal/repo` (design.md, section 7).
 * The egress listener of a sandbox hands every request for the host `git.internal` to it; the sandbox is known by its
 * socket, so nothing that the sandbox says decides which repository or which credential is used.
 */
export interface GitGateway {
  /** Answers `info/refs`, `git-upload-pack` and `git-receive-pack` for `remote`, and 404 for everything else. */
  serve(remote: string, request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** The name under which a sandbox sees its repository. */
export const GATEWAY_HOST = "git.internal";
export const GATEWAY_URL = `http://${GATEWAY_HOST}/repo`;
