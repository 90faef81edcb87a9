import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLog } from "@/lib/kernel/log";
import { createGitGateway, type GitGatewayOptions } from "./http-gateway";
import { type GitHttpServer, type GitHttpServerOptions, startGitHttpServer } from "./testing/git-http-server";
import { exposeGateway, git } from "./testing/git-sandbox";

const TOKEN = "CANARY-token-8f2e";
const HEADER = `Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString("base64")}`;

let folder: string;
let logged: string;
const open: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "gateway-"));
  logged = "";
  await mkdir(path.join(folder, "forge"));
  await makeBare(path.join(folder, "forge", "app.git"));
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
  await rm(folder, { recursive: true, force: true });
  expect(logged).not.toContain(TOKEN);
  expect(logged).not.toContain(HEADER.slice(6));
});

async function makeBare(bare: string): Promise<void> {
  const seed = path.join(folder, `seed-${randomBytes(4).toString("hex")}`);
  await git(["init", "-q", "-b", "main", seed]);
  await writeFile(path.join(seed, "README.md"), "hello\n");
  await git(["add", "."], { cwd: seed });
  await git(["commit", "-q", "-m", "first"], { cwd: seed });
  await git(["clone", "-q", "--bare", seed, bare]);
}

async function forge(options: Partial<GitHttpServerOptions> = {}): Promise<GitHttpServer> {
  const server = await startGitHttpServer({ root: path.join(folder, "forge"), ...options });
  open.push(server);
  return server;
}

async function sandbox(
  remote: string,
  options: Partial<GitGatewayOptions> & { allowAll?: GitHttpServer[] },
): Promise<string> {
  const { allowAll = [], ...rest } = options;
  const gateway = createGitGateway({
    tokens: new Map(),
    allowLocal: false,
    allow: allowAll.map(({ port }) => `127.0.0.1:${port}`),
    log: createLog((_level, line) => {
      logged += `${line}\n`;
    }),
    ...rest,
  });
  const exposed = await exposeGateway(gateway, remote);
  open.push(exposed);
  return exposed.url;
}

const work = () => path.join(folder, "work");

async function commit(file: string, bytes: string | Buffer): Promise<void> {
  await writeFile(path.join(work(), file), bytes);
  await git(["add", "."], { cwd: work() });
  expect((await git(["commit", "-q", "-m", file], { cwd: work() })).code).toBe(0);
}

describe("a repository at a forge", { timeout: 60_000 }, () => {
  it("is cloned, fetched and pushed to without a token when it needs none", async () => {
    const server = await forge();
    const url = await sandbox(`${server.url}/app.git`, { allowAll: [server] });
    expect(await git(["clone", "-q", url, work()])).toMatchObject({ code: 0, stderr: "" });
    await commit("a.txt", "a");
    expect(await git(["push", "-q", "origin", "HEAD:topic"], { cwd: work() })).toMatchObject({ code: 0 });
    expect((await git(["fetch", "-q", "origin"], { cwd: work() })).code).toBe(0);
    expect((await git(["rev-parse", "topic"], { cwd: path.join(folder, "forge/app.git") })).stdout).toBe(
      (await git(["rev-parse", "HEAD"], { cwd: work() })).stdout,
    );
    expect(server.requests.every(({ authorization }) => authorization === undefined)).toBe(true);
    expect(server.requests.some(({ gitProtocol }) => gitProtocol === "version=2")).toBe(true);
  });

  it("gets the token of its host, which the sandbox never sees", async () => {
    const server = await forge({ token: TOKEN });
    const url = await sandbox(`${server.url}/app.git`, {
      allowAll: [server],
      tokens: new Map([[`127.0.0.1:${server.port}`, TOKEN]]),
    });
    const trace = { env: { GIT_CURL_VERBOSE: "1", GIT_TRACE_CURL_NO_DATA: "0", GIT_TRACE: "1" } };
    const cloned = await git(["clone", url, work()], trace);
    await commit("a.txt", "a");
    const pushed = await git(["push", "origin", "HEAD:topic"], { cwd: work(), ...trace });
    expect([cloned.code, pushed.code]).toEqual([0, 0]);
    expect(server.requests.every(({ authorization }) => authorization === HEADER)).toBe(true);
    for (const run of [cloned, pushed])
      expect(run.stderr + run.stdout).not.toMatch(/CANARY|Authorization: Basic|eC1hY2Nlc3MtdG9rZW4/);
    const config = await git(["config", "--list"], { cwd: work() });
    expect(config.stdout).not.toContain(TOKEN);
  });

  it("takes a large push of many requests, compressed ones included, and a large clone", async () => {
    const server = await forge({ token: TOKEN });
    const url = await sandbox(`${server.url}/app.git`, { allowAll: [server], tokens: new Map([["127.0.0.1", TOKEN]]) });
    await git(["clone", "-q", url, work()]);
    await commit("big.bin", randomBytes(12 * 1024 * 1024));
    expect(await git(["push", "-q", "origin", "HEAD:big"], { cwd: work() })).toMatchObject({ code: 0 });
    const again = path.join(folder, "again");
    expect(await git(["-c", "protocol.version=0", "clone", "-q", url, again])).toMatchObject({ code: 0 });
    // Many commits to ask for make a request longer than 1 kB, which git compresses.
    const tree = (await git(["rev-parse", "HEAD^{tree}"], { cwd: work() })).stdout.trim();
    for (let at = 0; at < 30; at++) {
      const made = await git(["commit-tree", "-m", `${at}`, tree], { cwd: work() });
      await git(["update-ref", `refs/heads/b${at}`, made.stdout.trim()], { cwd: work() });
    }
    expect(await git(["push", "-q", "origin", "--all"], { cwd: work() })).toMatchObject({ code: 0 });
    expect(await git(["-c", "protocol.version=0", "fetch", "-q", "origin"], { cwd: again })).toMatchObject({ code: 0 });
    expect((await git(["fsck"], { cwd: again })).code).toBe(0);
    expect(server.requests.some(({ encoding }) => encoding === "gzip")).toBe(true);
  });

  it("speaks https to a forge whose certificate is trusted, and names a certificate that is not", async () => {
    const server = await forge({ tls: true, token: TOKEN });
    const tokens = new Map([["127.0.0.1", TOKEN]]);
    const url = await sandbox(`${server.url}/app.git`, { allowAll: [server], tokens, ca: [server.certificate ?? ""] });
    expect(await git(["clone", "-q", url, work()])).toMatchObject({ code: 0 });
    const distrusting = await sandbox(`${server.url}/app.git`, { allowAll: [server], tokens });
    const seen = server.requests.length;
    expect((await git(["clone", distrusting, `${work()}2`])).stderr).toMatch(
      /remote: \[unreachable\].*certificate that is not trusted/,
    );
    expect(server.requests.length).toBe(seen);
  });

  it.each([
    [
      "a wrong token",
      () => new Map([["127.0.0.1", "wrong-CANARY"]]),
      /The token that DORMOUSE_GIT_TOKENS sets for .* was used/,
    ],
    ["no token", () => new Map<string, string>(), /No token is set for .* DORMOUSE_GIT_TOKENS=/],
  ])("with %s ends in words, never in a prompt", async (_what, tokens, words) => {
    const server = await forge({ token: TOKEN });
    const url = await sandbox(`${server.url}/app.git`, { allowAll: [server], tokens: tokens() });
    const { code, stderr } = await git(["clone", url, work()], { env: { GIT_CURL_VERBOSE: "1" } });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/remote: \[not_found_or_private\] app was not found at .*, or it is private/);
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/could not read Username|www-authenticate|CANARY/i);
  });

  it("that does not exist, or is a web page, is said to be missing", async () => {
    const page = await forge({
      intercept: (request, response) =>
        request.url?.includes("/page") === true && !!response.setHeader("content-type", "text/html").end("<html>"),
    });
    for (const name of ["nothing", "page"]) {
      const url = await sandbox(`${page.url}/${name}`, { allowAll: [page] });
      const { code, stderr } = await git(["clone", url, work()]);
      expect(code).not.toBe(0);
      expect(stderr).toContain("remote: [not_found_or_private]");
    }
  });

  it("refuses a push in words when the forge does", async () => {
    const server = await forge({
      intercept: (request, response) =>
        request.url?.includes("receive-pack") === true && !!response.writeHead(403).end("no"),
    });
    const url = await sandbox(`${server.url}/app.git`, { allowAll: [server] });
    await git(["clone", "-q", url, work()]);
    await commit("a.txt", "a");
    const { code, stderr } = await git(["push", "origin", "HEAD:topic"], { cwd: work() });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/remote: \[push_refused\].*DORMOUSE_GIT_TOKENS/);
  });

  it("is not asked when the rules do not name it, or name it without the port that a private address needs", async () => {
    const server = await forge();
    for (const allow of [[], ["127.0.0.1"], ["forge.test"]]) {
      const url = await sandbox(`${server.url}/app.git`, { allow });
      const { stderr } = await git(["clone", url, work()]);
      expect(stderr).toMatch(new RegExp(`remote: \\[egress_denied\\].*DORMOUSE_EGRESS_ALLOW=127.0.0.1:${server.port}`));
    }
    expect(server.requests).toEqual([]);
  });

  it("that is down, or broken, is said to be so", async () => {
    const server = await forge({ intercept: (_request, response) => !!response.writeHead(503).end() });
    const url = await sandbox(`${server.url}/app.git`, { allowAll: [server] });
    expect((await git(["clone", url, work()])).stderr).toMatch(/remote: \[unreachable\].*503/);
    await server.close();
    expect((await git(["clone", url, work()])).stderr).toMatch(/remote: \[unreachable\].*could not be reached/);
  });
});

describe("redirects", { timeout: 60_000 }, () => {
  const redirect =
    (to: () => string): NonNullable<GitHttpServerOptions["intercept"]> =>
    (request, response) => {
      if (!request.url?.startsWith("/old")) return false;
      response.writeHead(302, { location: `${to()}${request.url.replace("/old", "")}` }).end();
      return true;
    };

  it("within the host are followed with the token, and the push goes where the fetch went", async () => {
    const server: GitHttpServer = await forge({ token: TOKEN, intercept: redirect(() => "/app.git") });
    const url = await sandbox(`${server.url}/old`, { allowAll: [server], tokens: new Map([["127.0.0.1", TOKEN]]) });
    expect(await git(["clone", "-q", url, work()])).toMatchObject({ code: 0 });
    await commit("a.txt", "a");
    expect(await git(["push", "-q", "origin", "HEAD:topic"], { cwd: work() })).toMatchObject({ code: 0 });
    expect(server.requests.some(({ url: seen }) => seen === "/app.git/git-receive-pack")).toBe(true);
  });

  it("to another host are followed without the token, even when that host has a token of its own", async () => {
    const other = await forge();
    const server = await forge({ token: TOKEN, intercept: redirect(() => `${other.url}/app.git`) });
    const tokens = new Map([
      [`127.0.0.1:${server.port}`, TOKEN],
      [`127.0.0.1:${other.port}`, `${TOKEN}-other`],
    ]);
    const url = await sandbox(`${server.url}/old`, { allowAll: [server, other], tokens });
    const run = await git(["clone", url, work()], { env: { GIT_CURL_VERBOSE: "1" } });
    expect(run.code).toBe(0);
    expect(other.requests.length).toBeGreaterThan(0);
    expect(other.requests.every(({ authorization }) => authorization === undefined)).toBe(true);
    expect(run.stderr).not.toMatch(new RegExp(`location|:${other.port}`, "i"));
  });

  it("to a private address that no entry names are refused, and it is never connected to", async () => {
    const inner = await forge();
    const server = await forge({ intercept: redirect(() => `http://inner.test:${inner.port}/app.git`) });
    const url = await sandbox(`${server.url}/old`, {
      allow: [`127.0.0.1:${server.port}`, "inner.test"],
      lookup: async () => [{ address: "127.0.0.1", family: 4 }],
    });
    expect((await git(["clone", url, work()])).stderr).toContain("remote: [egress_denied]");
    expect(inner.requests).toEqual([]);
  });

  it.each([
    ["to a page that is no repository", (server: GitHttpServer) => `${server.url}/login?next=`],
    ["without an end", (server: GitHttpServer) => `${server.url}/old`],
    ["to a file", () => "file:///etc"],
    ["with a password", (server: GitHttpServer) => `http://a:b@127.0.0.1:${server.port}/app.git`],
  ])("%s end in words", async (_what, to) => {
    const server: GitHttpServer = await forge({ intercept: redirect(() => to(server)) });
    const url = await sandbox(`${server.url}/old`, { allowAll: [server] });
    expect((await git(["clone", url, work()])).stderr).toMatch(/remote: \[unreachable\].*redirects/);
  });
});

describe("the gateway", { timeout: 60_000 }, () => {
  it("serves one repository and nothing else of the forge", async () => {
    const server = await forge();
    await makeBare(path.join(folder, "forge", "other.git"));
    const url = await sandbox(`${server.url}/app.git`, { allowAll: [server] });
    const base = url.replace(/\/repo$/, "");
    const tries = [
      "/other.git/info/refs",
      "/repo/../other.git/info/refs",
      "/repo/HEAD",
      "/repo/objects/info/packs",
      "/repo/info/refs",
      "/",
    ];
    for (const at of [
      ...tries.map((path) => `${path}?service=git-upload-pack`),
      "/repo/info/refs?service=git-upload-archive",
      "/repo%2finfo/refs",
    ]) {
      if (at === "/repo/info/refs?service=git-upload-pack") continue;
      const answer = await fetch(base + at);
      expect([answer.status, at]).toEqual([404, at]);
      expect(await answer.text()).not.toContain(server.url);
    }
    for (const method of ["PUT", "DELETE", "PATCH"])
      expect((await fetch(`${url}/git-upload-pack`, { method })).status).toBe(404);
    expect((await git(["clone", "-q", `${url}.git`, work()])).code).toBe(0);
  });

  it("keeps two sandboxes apart: each reaches its own repository only", async () => {
    const server = await forge();
    await makeBare(path.join(folder, "forge", "other.git"));
    const first = await sandbox(`${server.url}/app.git`, { allowAll: [server] });
    const second = await sandbox(`${server.url}/other.git`, { allowAll: [server] });
    await git(["clone", "-q", first, work()]);
    await commit("a.txt", "only in app");
    await git(["push", "-q", "origin", "HEAD:topic"], { cwd: work() });
    expect((await git(["ls-remote", first, "topic"])).stdout).toContain("refs/heads/topic");
    expect((await git(["ls-remote", second, "topic"])).stdout).toBe("");
  });

  it("fetches a neighbour whose URL begins alike without a token, and pushes nothing to it", async () => {
    const server = await forge();
    await makeBare(path.join(folder, "forge", "app-docs.git"));
    const url = await sandbox(`${server.url}/app`, { allowAll: [server], tokens: new Map([["127.0.0.1", TOKEN]]) });
    expect((await git(["clone", "-q", `${url}-docs.git`, work()])).code).toBe(0);
    expect(server.requests.length).toBeGreaterThan(0);
    expect(server.requests.every(({ authorization }) => authorization === undefined)).toBe(true);
    await commit("a.txt", "a");
    expect((await git(["push", "origin", "HEAD:topic"], { cwd: work() })).stderr).toContain("its own repository");
  });

  it("sends nothing on that the sandbox made up: no cookie, no credential, no header of its own", async () => {
    const headers: Record<string, unknown>[] = [];
    const server = await forge({ intercept: (request) => headers.push({ ...request.headers }) < 0 });
    const url = await sandbox(`${server.url}/app.git`, { allowAll: [server], tokens: new Map([["127.0.0.1", TOKEN]]) });
    const own = { authorization: "Basic bWluZQ==", cookie: "a=b", "x-own": "1", "git-protocol": "version=2\u00e9" };
    await fetch(`${url}/info/refs?service=git-upload-pack`, { headers: own });
    expect(headers[0]).toMatchObject({ authorization: HEADER });
    for (const name of ["cookie", "x-own", "git-protocol"]) expect(headers[0]?.[name]).toBeUndefined();
  });

  it("sends a token over plain http where an entry names the host with its port", async () => {
    const server = await forge({ token: TOKEN });
    const url = await sandbox(`http://forge.test:${server.port}/app.git`, {
      allow: [`forge.test:${server.port}`],
      tokens: new Map([["forge.test", TOKEN]]),
      lookup: async () => [{ address: "127.0.0.1", family: 4 }],
    });
    expect((await git(["clone", "-q", url, work()])).code).toBe(0);
  });
});
