import { describe, expect, it } from "vitest";
import { isTokenAllowed, redirectedBase } from "./gateway-redirect";

describe("isTokenAllowed", () => {
  it.each([
    ["https://a.test/o/r", "https://a.test/x/y", "public", true],
    ["https://a.test/o/r", "https://b.test/o/r", "any", false],
    ["https://a.test/o/r", "https://sub.a.test/o/r", "any", false],
    ["https://a.test/o/r", "https://a.test:8443/o/r", "any", false],
    ["https://a.test/o/r", "http://a.test/o/r", "any", false],
    ["http://a.test/o/r", "http://a.test/o/r", "public", false],
    ["http://a.test:80/o/r", "http://a.test/o/r", "any", true],
    ["http://a.test:8080/o/r", "http://a.test:8080/o/r", "any", true],
    ["http://a.test/o/r", "https://a.test/o/r", "public", true],
    ["http://a.test:8080/o/r", "https://a.test/o/r", "public", false],
  ] as const)("from %s to %s (%s): %s", (from, to, verdict, expected) => {
    expect(isTokenAllowed(new URL(from), new URL(to), verdict)).toBe(expected);
  });
});

describe("redirectedBase", () => {
  const read = (location: string, base = "https://a.test/o/r") => redirectedBase(base, location, "git-upload-pack");

  it.each([
    ["/o/r.git/info/refs?service=git-upload-pack", "https://a.test/o/r.git"],
    ["https://b.test/x/info/refs?service=git-upload-pack", "https://b.test/x"],
    ["../../../new/r/info/refs", "https://a.test/new/r"],
  ])("reads %s", (location, base) => expect(read(location)).toBe(base));

  it.each([
    "https://a.test/login",
    "http://a.test/o/r/info/refs",
    "file:///etc/info/refs",
    "https://user:password@a.test/o/r/info/refs",
    "https://[/info/refs",
  ])("refuses %s", (location) => expect(() => read(location)).toThrow(/redirects/));
});
