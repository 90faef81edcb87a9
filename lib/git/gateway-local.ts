import { type ChildProcess, spawn } from "node:child_process";
import { realpath, stat } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { Log } from "@/lib/kernel/log";
import { readCgiHead } from "./cgi";
import { answerFailure } from "./gateway-answer";
import { type GatewayRequest, readGitProtocol } from "./gateway-request";
import type { RepoRemote } from "./remote";

export interface LocalUpstreamOptions {
  /** Folders whose insides are never served, such as our own data directory: an agent may have written hooks there. */
  readonly forbidden: readonly string[];
  readonly log?: Log | undefined;
}

/**
 * Serves a repository of this host through `git http-backend`, run as the owner of its folder, so that files get the owner
 * they would get from a local push, hooks run as that user, and nobody's rights are widened (design.md, section 7).
 */
export async function serveLocal(
  options: LocalUpstreamOptions,
  remote: RepoRemote,
  wanted: GatewayRequest,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const found = await findFolder(remote.url);
  if (found === null || (await isInside(found.folder, options.forbidden))) return answerMissing(remote, response);
  const self = process.getuid?.();
  if (wanted.service === "git-receive-pack" && self !== 0 && self !== found.uid) {
    // Its hooks would run with our rights.
    return answerFailure(
      response,
      "push_refused",
      `${remote.label} belongs to another user of this machine, so that nothing can be pushed to it.`,
    );
  }
  const child = spawn("git", ["http-backend"], {
    cwd: "/",
    env: cgiEnvironment(found.folder, wanted, request),
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
    // Node drops the supplementary groups as well when it changes the user.
    ...(self === 0 ? { uid: found.uid, gid: found.gid } : {}),
  });
  endWith(response, child);
  const failed = new Promise<never>((_, reject) => child.once("error", reject));
  failed.catch(() => {});
  child.stderr.resume();
  pipeline(request, child.stdin).catch(() => {});
  try {
    const { status, headers, rest } = await Promise.race([readCgiHead(child.stdout), failed]);
    if (status === 404) return answerMissing(remote, response);
    if (status !== 200) {
      options.log?.warn("git_gateway_failed", { service: wanted.service, status });
      return answerFailure(response, "unknown", `git could not serve ${remote.label} (${status}).`);
    }
    response.writeHead(200, headers);
    if (rest.length > 0) response.write(rest);
    await pipeline(child.stdout, response);
  } catch (error) {
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    options.log?.warn("git_gateway_failed", { service: wanted.service, failure: missing ? "git_missing" : "broken" });
    answerFailure(
      response,
      "unknown",
      missing ? "git is not installed on the host." : `git could not serve ${remote.label}.`,
    );
  } finally {
    child.stdin.destroy();
  }
}

/** The real folder behind a path, and who owns it. Links are followed first, so the owner is that of what is served. */
async function findFolder(given: string): Promise<{ folder: string; uid: number; gid: number } | null> {
  // As git does for a path: `repo` also finds `repo.git`.
  for (const candidate of [given, `${given}.git`]) {
    try {
      const folder = await realpath(candidate);
      const info = await stat(folder);
      if (info.isDirectory()) return { folder, uid: info.uid, gid: info.gid };
    } catch {
      // The next candidate, or none.
    }
  }
  return null;
}

async function isInside(folder: string, roots: readonly string[]): Promise<boolean> {
  for (const root of roots) {
    const real = await realpath(root).catch(() => path.resolve(root));
    if (folder === real || folder.startsWith(`${real}/`)) return true;
  }
  return false;
}

function answerMissing(remote: RepoRemote, response: ServerResponse): void {
  answerFailure(
    response,
    "not_found_or_private",
    `${remote.url} is not a git repository on this machine, or its owner cannot read it.`,
  );
}

/** The environment of a CGI script (RFC 3875) as git-http-backend(1) takes it: nothing of our own, no system or global configuration. */
function cgiEnvironment(folder: string, wanted: GatewayRequest, request: IncomingMessage): NodeJS.ProcessEnv {
  const header = (name: string) => (typeof request.headers[name] === "string" ? request.headers[name] : "");
  const protocol = readGitProtocol(request);
  const config: readonly (readonly [string, string])[] = [
    ["http.receivepack", "true"],
    // The owner runs it; parts of the repository may belong to somebody else, which is theirs to decide.
    ["safe.directory", "*"],
  ];
  const variables = {
    PATH: process.env.PATH,
    HOME: "/nonexistent",
    LANG: "C.UTF-8",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_COUNT: String(config.length),
    ...Object.fromEntries(
      config.flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, key],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ),
    GIT_TERMINAL_PROMPT: "0",
    GIT_PROJECT_ROOT: folder,
    GIT_HTTP_EXPORT_ALL: "1",
    GATEWAY_INTERFACE: "CGI/1.1",
    REMOTE_ADDR: "127.0.0.1",
    REMOTE_USER: "dormouse",
    REQUEST_METHOD: wanted.kind === "rpc" ? "POST" : "GET",
    PATH_INFO: wanted.kind === "rpc" ? `/${wanted.service}` : "/info/refs",
    QUERY_STRING: wanted.kind === "rpc" ? "" : `service=${wanted.service}`,
    CONTENT_TYPE: header("content-type"),
    ...(request.headers["content-length"] === undefined ? {} : { CONTENT_LENGTH: header("content-length") }),
    ...(request.headers["content-encoding"] === undefined ? {} : { HTTP_CONTENT_ENCODING: header("content-encoding") }),
    ...(protocol === null ? {} : { GIT_PROTOCOL: protocol, HTTP_GIT_PROTOCOL: protocol }),
  };
  // The type asks for NODE_ENV, which is nothing to git.
  return variables as unknown as NodeJS.ProcessEnv;
}

/** Ends git, with everything it started, when the sandbox hangs up; the egress listener hangs up when nothing moves for long. */
function endWith(response: ServerResponse, child: ChildProcess): void {
  response.once("close", () => {
    if (response.writableFinished || child.pid === undefined || child.exitCode !== null || child.signalCode !== null)
      return;
    try {
      process.kill(-child.pid, "SIGTERM");
    } catch {
      // Gone in the meantime.
    }
  });
}
