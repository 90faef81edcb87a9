import path from "node:path";
import { type AppError, appError } from "@/lib/kernel/errors";
import { canonicalHost } from "@/lib/kernel/net/egress-rules";
import { err, ok, type Result } from "@/lib/kernel/result";

/** A repository that a session may start from, as the git gateway takes it. Never holds credentials. */
export interface RepoRemote {
  readonly kind: "https" | "http" | "local";
  /** Normalised: canonical host, no default port, no slash at the end. For `local` the absolute path. */
  readonly url: string;
  /** `host` or `host:port`; absent for `local`. */
  readonly host?: string;
  /** Path of the URL, or the absolute path of the folder. */
  readonly path?: string;
  /** For people: `owner/repo`, or the name of the folder. */
  readonly label: string;
}

const MAX_LENGTH = 2_000;

/**
 * Reads `repo.url` (api.md, "Calls"): an `https://` or `http://` git URL, or an absolute path or `file://` URL where
 * `allowLocal` is on. Everything else is `unprocessable` with advice that never repeats a password.
 */
export function parseRepoUrl(
  input: string,
  { allowLocal }: { readonly allowLocal: boolean },
): Result<RepoRemote, AppError> {
  const url = input.trim();
  if (url === "") return refuse("The repository URL is empty.");
  if (url.length > MAX_LENGTH) return refuse(`The repository URL is longer than ${MAX_LENGTH} characters.`);
  if (/\p{Cc}/u.test(url)) return refuse("The repository URL contains a line break or another control character.");
  if (url.startsWith("-")) return refuse("A repository URL cannot start with a dash.");
  if (/^[a-z][a-z0-9+.-]*::/i.test(url))
    return refuse("Remote helpers such as ext:: are not supported. Use an https:// URL.");
  if (url.startsWith("/")) return parseLocal(url, allowLocal);

  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  switch (scheme) {
    case "https":
    case "http":
      return parseHttp(url, scheme);
    case "file":
      return parseFileUrl(url, allowLocal);
    case "ssh":
    case "git+ssh":
    case "ssh+git":
      return refuse(
        `SSH URLs are not supported. ${insteadOfSsh(url.replace(/^[^:]*:\/\/(?:[^/@]*@)?([^/:]*)(?::\d+)?\//, "$1/"))}`,
      );
    case "git":
      return refuse("git:// URLs are not supported. Use the https:// URL of the repository.");
    case undefined:
      if (/^https?:/i.test(url))
        return refuse("The repository URL is malformed: https: must be followed by two slashes.");
      if (/^[^/\s]+:(?!\/\/)./.test(url)) {
        return refuse(`SSH URLs are not supported. ${insteadOfSsh(url.replace(/^(?:[^/@]*@)?([^:/]+):\/*/, "$1/"))}`);
      }
      if (/^[.~]/.test(url)) return refuse("A folder must be given by its absolute path.");
      return refuse("This is not a git URL. It must start with https://, for example https://github.com/owner/repo.");
    default:
      return refuse(`${scheme}:// URLs are not supported. Use an https:// URL.`);
  }
}

function parseHttp(url: string, kind: "https" | "http"): Result<RepoRemote, AppError> {
  if (url.includes("\\")) return refuse("A repository URL cannot contain a backslash.");
  if (/\s/.test(url)) return refuse("A repository URL cannot contain a space.");
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return refuse("The repository URL is malformed.");
  }
  const authority = url.slice(url.indexOf("//") + 2).split(/[/?#]/, 1)[0] ?? "";
  if (authority === "") return refuse("The repository URL names no valid host.");
  if (authority.includes("@") || parsed.username !== "" || parsed.password !== "") {
    return refuse(
      "A repository URL must not contain a user name, a password or a token. Set the token once for its host with DORMOUSE_GIT_TOKENS=host=token, and use the URL without it.",
    );
  }
  if (url.includes("?") || url.includes("#")) return refuse("A repository URL cannot have a query or a fragment.");
  const host = canonicalHost(parsed.hostname);
  if (host === null || parsed.port === "0") return refuse("The repository URL names no valid host.");
  if (/%(?:[01][0-9a-f]|7f|2f|5c)/i.test(parsed.pathname)) {
    return refuse("The path of the repository URL contains an encoded control character or slash.");
  }
  const clean = parsed.pathname.replace(/\/{2,}/g, "/").replace(/\/+$/, "");
  const segments = clean.split("/").filter(Boolean);
  if (segments.length === 0)
    return refuse("The URL names a host but no repository. It should look like https://github.com/owner/repo.");
  const shownHost = (host.includes(":") ? `[${host}]` : host) + (parsed.port === "" ? "" : `:${parsed.port}`);
  const label = decoded(segments.join("/")).replace(/\.git$/, "") || segments.join("/");
  return ok({ kind, url: `${kind}://${shownHost}${clean}`, host: shownHost, path: clean, label });
}

function parseFileUrl(url: string, allowLocal: boolean): Result<RepoRemote, AppError> {
  const parts = /^file:\/\/(localhost)?(\/.*)$/i.exec(url);
  if (parts === null)
    return refuse("A file:// URL must have three slashes and an absolute path, for example file:///srv/repo.");
  if (/[?#]/.test(url)) return refuse("A repository URL cannot have a query or a fragment.");
  try {
    return parseLocal(decodeURIComponent(parts[2] ?? ""), allowLocal);
  } catch {
    return refuse("The file:// URL contains a percent sign that encodes nothing.");
  }
}

function parseLocal(given: string, allowLocal: boolean): Result<RepoRemote, AppError> {
  if (!allowLocal) {
    return refuse("This deployment takes no local folders. Use an https:// URL, or set DORMOUSE_ALLOW_LOCAL_REPOS.");
  }
  if (/\p{Cc}/u.test(given)) return refuse("The path contains a control character.");
  const folder = path.posix
    .normalize(given)
    .replace(/^\/{2,}/, "/")
    .replace(/(?<=.)\/+$/, "");
  if (folder === "/") return refuse("The root folder is not a repository.");
  const name = path.posix.basename(folder) === ".git" ? path.posix.dirname(folder) : folder;
  return ok({
    kind: "local",
    url: folder,
    path: folder,
    label: path.posix.basename(name).replace(/(?<=.)\.git$/, "") || folder,
  });
}

/** Turns `host/owner/repo` into advice; the user name of the SSH URL is gone by then. */
function insteadOfSsh(hostAndPath: string): string {
  const plausible = /^[a-z0-9][a-z0-9.-]*\/[\w./~-]+$/i.test(hostAndPath);
  const example = plausible ? `https://${hostAndPath}` : "https://github.com/owner/repo";
  return `Use the https:// URL, for example ${example}. For a private repository set a token for its host with DORMOUSE_GIT_TOKENS.`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function refuse(message: string): Result<never, AppError> {
  return err(appError("unprocessable", message, { details: { field: "repo.url" } }));
}
