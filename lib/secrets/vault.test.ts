import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createVault } from "./vault";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "vault-"));
  file = path.join(folder, "secrets.key");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("a secret is sealed with a key of its own file, and opens again", async () => {
  const sealed = await createVault(file).seal("sk-secret", "user anthropic");
  expect(JSON.stringify(sealed)).not.toContain("secret");
  expect(sealed.sealed).toMatch(/^v1\.[\w-]{16}\.[\w-]+$/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await createVault(file).open(sealed, "user anthropic")).toBe("sk-secret");
});

test("the same secret is never sealed the same way twice", async () => {
  const vault = createVault(file);
  expect((await vault.seal("s", "c")).sealed).not.toBe((await vault.seal("s", "c")).sealed);
});

test("it does not open for somebody else, changed, or without its key", async () => {
  const vault = createVault(file);
  const sealed = await vault.seal("sk-secret", "user anthropic");
  expect(await vault.open(sealed, "other anthropic")).toBeNull();
  expect(await vault.open({ ...sealed, keyId: "key-other" }, "user anthropic")).toBeNull();
  const end = sealed.sealed.endsWith("A") ? "B" : "A";
  expect(await vault.open({ ...sealed, sealed: sealed.sealed.slice(0, -1) + end }, "user anthropic")).toBeNull();
  expect(await vault.open({ ...sealed, sealed: "nonsense" }, "user anthropic")).toBeNull();
  await rm(file);
  expect(await vault.open(sealed, "user anthropic")).toBeNull();
});

test("a new key on top seals from then on, and what the old one sealed still opens", async () => {
  const vault = createVault(file);
  const old = await vault.seal("one", "c");
  await writeFile(file, `key-new ${Buffer.alloc(32, 7).toString("base64")}\n${await readFile(file, "utf8")}`);
  const fresh = await vault.seal("two", "c");
  expect(fresh.keyId).toBe("key-new");
  expect([await vault.open(old, "c"), await vault.open(fresh, "c")]).toEqual(["one", "two"]);
});

test("two processes that need the file at once share one key", async () => {
  const sealed = await Promise.all(Array.from({ length: 8 }, () => createVault(file).seal("s", "c")));
  expect(new Set(sealed.map(({ keyId }) => keyId)).size).toBe(1);
});
