import { describe, expect, it } from "vitest";
import { parseEgressRule } from "@/lib/kernel/net/egress-rules";
import { BUILTIN_ALLOW, noProxyValue, readConnectTarget, readForwardTarget, refusalText } from "./policy";

describe("BUILTIN_ALLOW", () => {
  it("holds only well-formed entries, none of them a private place, each once", () => {
    for (const entry of BUILTIN_ALLOW) expect(parseEgressRule(entry), entry).toMatchObject({ port: null });
    expect(new Set(BUILTIN_ALLOW).size).toBe(BUILTIN_ALLOW.length);
    expect(BUILTIN_ALLOW).toEqual(
      expect.arrayContaining(["github.com", "registry.npmjs.org", "pypi.org", "deb.debian.org"]),
    );
  });
});

describe("readForwardTarget", () => {
  it.each([
    ["http://example.com/a?b=c", { host: "example.com", port: 80, path: "/a?b=c", authority: "example.com" }],
    ["HTTP://Example.com:8080", { host: "example.com", port: 8080, path: "/", authority: "Example.com:8080" }],
    ["http://example.com?q", { host: "example.com", port: 80, path: "/?q", authority: "example.com" }],
    ["http://[::1]:80/a/../b", { host: "::1", port: 80, path: "/a/../b", authority: "[::1]:80" }],
  ])("reads %s", (target, value) => expect(readForwardTarget(target)).toEqual({ ok: true, value }));

  it.each([
    "/path",
    "*",
    "https://example.com/",
    "file:///etc/passwd",
    "gopher://example.com/",
    "http:/example.com/",
    "http:///etc/passwd",
    "http://user@example.com/",
    "http://allowed.test@evil.test/",
    "http://allowed.test\\@evil.test/",
    "http://example.com#@evil.test/",
    "http://exa%6Dple.com/",
    "",
  ])("refuses %j", (target) => expect(readForwardTarget(target).ok).toBe(false));
});

describe("readConnectTarget", () => {
  it("needs a host and a port", () => {
    expect(readConnectTarget("example.com:443")).toEqual({ ok: true, value: { host: "example.com", port: 443 } });
    for (const bad of ["example.com", "http://example.com:443", "user@example.com:443", ""]) {
      expect(readConnectTarget(bad).ok, bad).toBe(false);
    }
  });
});

describe("noProxyValue", () => {
  it("hides no host of which the rules offer a port", () => {
    expect(noProxyValue([])).toBe("localhost,127.0.0.1");
    expect(noProxyValue(["github.com", "localhost", "10.0.0.1:80"])).toBe("localhost,127.0.0.1");
    expect(noProxyValue(["127.0.0.1:8080"])).toBe("localhost");
    expect(noProxyValue(["LOCALHOST:1", "[::1]:80", "127.0.0.1:8080"])).toBe("");
  });
});

describe("refusalText", () => {
  it("names the destination and the setting", () => {
    expect(refusalText("evil.test:443", "denied")).toMatch(/evil\.test:443.*DORMOUSE_EGRESS_ALLOW/s);
  });
});
