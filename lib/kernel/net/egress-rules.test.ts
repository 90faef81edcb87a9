import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  canonicalHost,
  decideEgress,
  formatDestination,
  mayReach,
  parseDestination,
  parseEgressRule,
  parseEgressRules,
} from "./egress-rules";

const verdict = (allow: string[], authority: string) => {
  const destination = parseDestination(authority, 443);
  return destination === null ? "malformed" : decideEgress(parseEgressRules(allow), destination);
};

describe("decideEgress", () => {
  it.each([
    // entry, destination, verdict
    ["example.com", "example.com", "public"],
    ["example.com", "example.com:8443", "public"],
    ["example.com", "EXAMPLE.com.", "public"],
    ["Example.COM.", "example.com", "public"],
    ["example.com", "www.example.com", "denied"],
    ["example.com", "notexample.com", "denied"],
    ["example.com", "example.com.evil.net", "denied"],
    ["*.example.com", "a.b.example.com", "public"],
    ["*.example.com", "example.com", "denied"],
    ["*.example.com", "evilexample.com", "denied"],
    ["*.example.com:8443", "a.example.com:8443", "public"],
    ["*.example.com:8443", "a.example.com:443", "denied"],
    ["example.com:8443", "example.com:8443", "any"],
    ["example.com:8443", "example.com:443", "denied"],
    ["localhost:8080", "localhost:8080", "any"],
    ["localhost:8080", "localhost:8081", "denied"],
    ["localhost", "localhost:8080", "public"],
    ["127.0.0.1:8080", "127.0.0.1:8080", "any"],
    ["127.0.0.1:8080", "2130706433:8080", "any"],
    ["127.0.0.1:8080", "0177.0.0.1:8080", "any"],
    ["127.0.0.1:8080", "0x7f.1:8080", "any"],
    ["127.0.0.1:8080", "[::ffff:127.0.0.1]:8080", "denied"],
    ["127.0.0.1:8080", "localhost:8080", "denied"],
    ["[::1]:80", "[::1]:80", "any"],
    ["[::1]:80", "[0:0:0:0:0:0:0:1]:80", "any"],
    ["::1", "[::1]:80", "public"],
    ["bücher.example", "xn--bcher-kva.example", "public"],
    ["xn--bcher-kva.example", "BÜCHER.example", "public"],
    ["*", "example.com", "denied"],
    ["*.*", "example.com", "denied"],
    ["exa*ple.com", "example.com", "denied"],
    ["*.0.0.1", "127.0.0.1", "denied"],
    ["https://example.com", "example.com", "denied"],
    ["example.com:0", "example.com", "denied"],
    ["example.com:99999", "example.com", "denied"],
    ["", "example.com", "denied"],
  ])("entry %s against %s: %s", (entry, authority, expected) => expect(verdict([entry], authority)).toBe(expected));

  it("lets the most permissive of several entries win", () => {
    expect(verdict(["*.example.com", "a.example.com:443"], "a.example.com")).toBe("any");
    expect(verdict(["a.example.com:443", "*.example.com"], "a.example.com")).toBe("any");
  });
});

describe("parseDestination", () => {
  it.each([
    "user@example.com",
    "user:pass@example.com:80",
    "example.com/path",
    "example.com?x",
    "example.com#x",
    "example.com\\@evil.net",
    "example.com%2f",
    "exam\tple.com",
    "exam ple.com",
    "example.com\0",
    "example.com\r\nHost: evil",
    "[::1",
    "::1]:80",
    "[fe80::1%eth0]:80",
    "[127.0.0.1]:80",
    "1.2.3.4.5",
    "999.1.1.1",
    "0x7f.0.0.0.1",
    "a..b",
    ".example.com",
    ".",
    "",
    ":80",
    "example.com:",
    "example.com:0",
    "example.com:65536",
    "example.com:-1",
    "example.com:80:90",
    "example.com:8o",
    `${"a".repeat(256)}.com`,
  ])("refuses %j", (authority) => expect(parseDestination(authority, 80)).toBeNull());

  it("needs a port when there is no default", () => {
    expect(parseDestination("example.com")).toBeNull();
    expect(parseDestination("example.com:443")).toEqual({ host: "example.com", port: 443 });
  });

  it("is a fixed point: what it prints reads as the same destination", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.domain(),
          fc.ipV4(),
          fc.ipV6().map((ip) => `[${ip}]`),
        ),
        fc.integer({ min: 1, max: 65_535 }),
        (host, port) => {
          const first = parseDestination(`${host}:${port}`);
          return first !== null && JSON.stringify(parseDestination(formatDestination(first))) === JSON.stringify(first);
        },
      ),
    );
  });

  it("never throws", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        (text) => parseDestination(text, 80) !== undefined && parseEgressRule(text) !== undefined,
      ),
    );
  });

  it("keeps one spelling per host", () => expect(canonicalHost("LOCALHOST.")).toBe("localhost"));
});

describe("mayReach", () => {
  it.each([
    ["https://github.com/o/r", ["github.com"], true],
    ["https://github.com/o/r", [], false],
    ["http://127.0.0.1:9/r", ["127.0.0.1:9"], true],
    ["http://127.0.0.1:9/r", ["127.0.0.1"], false],
    ["http://localhost/r", ["localhost"], false],
    ["http://localhost/r", ["localhost:80"], true],
    ["http://169.254.169.254/latest", ["169.254.169.254"], false],
    ["ssh://github.com/o/r", ["github.com"], false],
    ["/srv/repo", [], true],
    ["file:///srv/repo", [], true],
    ["not a url", ["*"], false],
  ])("%s with %j: %s", (url, allow, expected) => expect(mayReach(url, allow)).toBe(expected));
});
