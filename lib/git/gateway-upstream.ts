import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Log } from "@/lib/kernel/log";
import { answerFailure } from "./gateway-answer";
import { basicAuthorization, isTokenAllowed, RedirectRefused, redirectedBase, refsUrl } from "./gateway-redirect";
import { type GatewayRequest, readGitProtocol } from "./gateway-request";
import { type AskingWords, wordsForError, wordsForStatus } from "./gateway-words";
import type { RepoRemote } from "./remote";
import { sendUpstream, type UpstreamOptions } from "./upstream-http";

/** Redirects that a request for `info/refs` follows. */
const MAX_REDIRECTS = 5;
/** Repositories whose redirected address is remembered at a time. */
const MAX_REMEMBERED = 1_000;

export interface HttpUpstreamOptions extends UpstreamOptions {
  /** Host, or host with port, in lower case → token. */
  readonly tokens: ReadonlyMap<string, string>;
  readonly log?: Log | undefined;
}

export interface HttpUpstream {
  serve(remote: RepoRemote, wanted: GatewayRequest, request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** The gateway's side towards forges: streams both ways, adds the token, follows redirects itself (design.md, section 7). */
export function createHttpUpstream(options: HttpUpstreamOptions): HttpUpstream {
  /** Where `info/refs` of a remote was redirected to: the POST that follows goes straight there, with its body intact. */
  const bases = new Map<string, string>();

  async function serve(
    remote: RepoRemote,
    wanted: GatewayRequest,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const token = wanted.neighbour
      ? undefined
      : (options.tokens.get(remote.host ?? "") ?? options.tokens.get(new URL(remote.url).hostname));
    const asking: Asking = { remote, wanted, token, withheld: false };
    try {
      const { answer, base } =
        wanted.kind === "info-refs"
          ? await askForRefs(asking, request, gone.signal)
          : await ask(asking, bases.get(remote.url) ?? remote.url, request, gone.signal);
      const status = answer.statusCode ?? 0;
      const type = `application/x-${wanted.service}-${wanted.kind === "info-refs" ? "advertisement" : "result"}`;
      if (status !== 200 || answer.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() !== type) {
        answer.destroy();
        return fail(asking, response, status);
      }
      if (wanted.kind === "info-refs") remember(remote.url, base);
      response.writeHead(200, answerHeaders(answer));
      await pipeline(answer, response);
    } catch (error) {
      failWith(asking, response, error);
    }
  }

  async function askForRefs(asking: Asking, request: IncomingMessage, signal: AbortSignal) {
    let base = asking.remote.url;
    for (let hop = 0; ; hop++) {
      const asked = await ask(asking, base, request, signal);
      const { location } = asked.answer.headers;
      if (!REDIRECTS.has(asked.answer.statusCode ?? 0) || location === undefined) return asked;
      asked.answer.destroy();
      if (hop === MAX_REDIRECTS) throw new RedirectRefused("it redirects too often");
      base = redirectedBase(base, location, asking.wanted.service);
    }
  }

  async function ask(asking: Asking, base: string, request: IncomingMessage, signal: AbortSignal) {
    const { wanted } = asking;
    const url = new URL(wanted.kind === "info-refs" ? refsUrl(base, wanted.service) : `${base}/${wanted.service}`);
    const answer = await sendUpstream(url, {
      ...options,
      signal,
      method: wanted.kind === "info-refs" ? "GET" : "POST",
      headers: (verdict) => {
        const { token } = asking;
        const goes = token !== undefined && isTokenAllowed(new URL(asking.remote.url), url, verdict);
        asking.withheld = token !== undefined && !goes;
        return { ...requestHeaders(request), ...(goes ? { authorization: basicAuthorization(token) } : {}) };
      },
      ...(wanted.kind === "rpc" ? { body: request } : {}),
    });
    return { answer, base };
  }

  function remember(remote: string, base: string): void {
    bases.delete(remote);
    if (base === remote) return;
    bases.set(remote, base);
    const [oldest] = bases.keys();
    if (bases.size > MAX_REMEMBERED && oldest !== undefined) bases.delete(oldest);
  }

  function fail(asking: Asking, response: ServerResponse, status: number): void {
    options.log?.warn("git_gateway_failed", { host: asking.remote.host, service: asking.wanted.service, status });
    const words = REDIRECTS.has(status)
      ? (["unreachable", `${asking.remote.label} has moved. Fetch again.`] as const)
      : wordsForStatus(asking, status);
    answerFailure(response, ...words);
  }

  function failWith({ remote, wanted }: Asking, response: ServerResponse, error: unknown): void {
    const words = wordsForError(remote, error);
    options.log?.warn("git_gateway_failed", { host: remote.host, service: wanted.service, failure: words[0] });
    answerFailure(response, ...words);
  }

  return { serve };
}

interface Asking extends AskingWords {
  readonly wanted: GatewayRequest;
  readonly token: string | undefined;
  withheld: boolean;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Only what git's protocol needs travels on: no cookie and no credential that the sandbox made up. */
function requestHeaders(request: IncomingMessage): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { "user-agent": request.headers["user-agent"] ?? "git/2" };
  for (const name of [
    "accept",
    "accept-encoding",
    "accept-language",
    "content-type",
    "content-encoding",
    "content-length",
  ] as const) {
    const value = request.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  if (request.headers["transfer-encoding"] !== undefined) headers["transfer-encoding"] = "chunked";
  const protocol = readGitProtocol(request);
  return protocol === null ? headers : { ...headers, "git-protocol": protocol };
}

function answerHeaders(answer: IncomingMessage): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { "cache-control": "no-cache" };
  for (const name of ["content-type", "content-encoding", "content-length"] as const) {
    const value = answer.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}
