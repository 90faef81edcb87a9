import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRepoUrl } from "./remote";

const read = (url: string, allowLocal = true) => {
  const result = parseRepoUrl(url, { allowLocal });
  return result.ok ? result.value : result.error;
};

describe("parseRepoUrl", () => {
  it.each([
    ["https://github.com/owner/repo", "https", "https://github.com/owner/repo", "owner/repo"],
    ["https://github.com/owner/repo.git", "https", "https://github.com/owner/repo.git", "owner/repo"],
    ["  HTTPS://GitHub.com:443/owner/repo///  ", "https", "https://github.com/owner/repo", "owner/repo"],
    ["https://github.com./owner//repo", "https", "https://github.com/owner/repo", "owner/repo"],
    ["https://gitlab.com/a/b/c/d.git", "https", "https://gitlab.com/a/b/c/d.git", "a/b/c/d"],
    ["https://git.example:8443/r", "https", "https://git.example:8443/r", "r"],
    ["http://127.0.0.1:3000/o/r.git", "http", "http://127.0.0.1:3000/o/r.git", "o/r"],
    ["http://[::1]:3000/r", "http", "http://[::1]:3000/r", "r"],
    ["https://bücher.example/o/r", "https", "https://xn--bcher-kva.example/o/r", "o/r"],
    ["https://h.test/o/my%20repo", "https", "https://h.test/o/my%20repo", "o/my repo"],
    ["https://h.test/a/../b/r", "https", "https://h.test/b/r", "b/r"],
    ["/srv/git/app", "local", "/srv/git/app", "app"],
    ["/srv/git/app.git/", "local", "/srv/git/app.git", "app"],
    ["/home/me/app/.git", "local", "/home/me/app/.git", "app"],
    ["//srv//git/./x/../app", "local", "/srv/git/app", "app"],
    ["/home/me/with space", "local", "/home/me/with space", "with space"],
    ["file:///srv/git/app", "local", "/srv/git/app", "app"],
    ["file://localhost/srv/a%20b", "local", "/srv/a b", "a b"],
  ])("reads %s", (url, kind, normalised, label) => expect(read(url)).toMatchObject({ kind, url: normalised, label }));

  it("gives host and path of a URL", () => {
    expect(read("https://git.example:8443/o/r.git/")).toMatchObject({ host: "git.example:8443", path: "/o/r.git" });
  });

  it.each([
    ["", "empty"],
    ["   ", "empty"],
    ["git@github.com:owner/repo.git", "https://github.com/owner/repo.git"],
    ["github.com:owner/repo.git", "https://github.com/owner/repo.git"],
    ["ssh://git@github.com:22/owner/repo.git", "https://github.com/owner/repo.git"],
    ["git+ssh://git@github.com/owner/repo", "https://github.com/owner/repo"],
    ["ssh://-oProxyCommand=touch%20x/y", "SSH URLs are not supported"],
    ["git@-oProxyCommand=x:y", "SSH URLs are not supported"],
    ["git://github.com/owner/repo", "https://"],
    ["https://user:CANARY@github.com/o/r", "DORMOUSE_GIT_TOKENS"],
    ["https://CANARY@github.com/o/r", "DORMOUSE_GIT_TOKENS"],
    ["https://:CANARY@github.com/o/r", "DORMOUSE_GIT_TOKENS"],
    ["https://@github.com/o/r", "DORMOUSE_GIT_TOKENS"],
    ["https:/\\user:CANARY@github.com/o/r", "malformed"],
    ["https://github.com\\@evil.test/o/r", "backslash"],
    ["ext::sh -c touch% /tmp/x", "Remote helpers"],
    ["fd::17", "Remote helpers"],
    ["--upload-pack=touch /tmp/x", "dash"],
    ["-u", "dash"],
    ["https://github.com/o/r\nx", "control character"],
    ["https://github.com/o/r\u0000", "control character"],
    ["https://github.com/o/r%0d%0a", "encoded control character"],
    ["https://github.com/o%2f..%2fr", "encoded control character"],
    ["https://github.com/o/r?x=1", "query"],
    ["https://github.com/o/r#x", "fragment"],
    ["https://github.com/o r", "space"],
    ["https://github.com", "no repository"],
    ["https://github.com///", "no repository"],
    ["https:///o/r", "no valid host|malformed|no repository"],
    ["https://github.com:0/o/r", "no valid host"],
    ["https://github.com:99999/o/r", "malformed"],
    ["https://%00/o/r", "malformed"],
    ["ftp://h.test/o/r", "ftp:// URLs are not supported"],
    ["javascript://h.test/%0aalert(1)", "not supported"],
    ["owner/repo", "https://github.com/owner/repo"],
    ["./app", "absolute path"],
    ["../app", "absolute path"],
    ["~/app", "absolute path"],
    ["/", "root folder"],
    ["/..", "root folder"],
    ["file://other.host/srv/app", "three slashes"],
    ["file:///srv/app?x", "query"],
    ["file:///srv/%00app", "control character"],
    ["file:///srv/100%", "percent"],
    [`https://github.com/${"a".repeat(3000)}`, "longer than"],
  ])("refuses %j with advice", (url, words) => {
    const error = read(url);
    expect(error).toMatchObject({ code: "unprocessable", retryable: false, details: { field: "repo.url" } });
    expect("message" in error && error.message).toMatch(new RegExp(words));
    expect(JSON.stringify(error)).not.toContain("CANARY");
  });

  it("refuses folders where they are not allowed, and names the setting", () => {
    for (const url of ["/srv/app", "file:///srv/app"]) {
      expect(read(url, false)).toMatchObject({
        code: "unprocessable",
        message: expect.stringContaining("DORMOUSE_ALLOW_LOCAL_REPOS"),
      });
    }
  });

  it("is a fixed point: the normalised URL reads as itself", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string({ unit: "binary" }),
          fc.string().map((text) => `/${text}`),
        ),
        (url) => {
          const first = parseRepoUrl(url, { allowLocal: true });
          if (!first.ok) return;
          expect(parseRepoUrl(first.value.url, { allowLocal: true })).toEqual(first);
        },
      ),
    );
  });
});
