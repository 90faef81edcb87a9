import type { IncomingMessage } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import type { GitGateway } from "@/lib/git/gateway";
import { closeLater, get, listen, names, proxyPerTest, serve, tunnel } from "./testing/proxy";

proxyPerTest();

describe("plain requests", () => {
  it("reach an allowed host, with body and query, without hop-by-hop headers in either direction", async () => {
    const seen: IncomingMessage[] = [];
    const upstream = await serve(async (incoming, response) => {
      seen.push(incoming);
      const body = await text(incoming);
      response
        .setHeader("keep-alive", "timeout=99")
        .setHeader("x-answer", ["1", "2"])
        .setHeader("proxy-authenticate", "Basic");
      response.end(`${incoming.method} ${incoming.url} ${body}`);
    });
    await listen({ allow: [`127.0.0.1:${upstream.port}`] });
    const answer = await get(`http://127.0.0.1:${upstream.port}/a%2Fb?c=d`, {
      method: "POST",
      headers: {
        "proxy-authorization": "Basic x",
        "proxy-connection": "keep-alive",
        connection: "x-secret",
        "x-secret": "1",
        te: "trailers",
      },
      body: "hello",
    });
    expect(answer).toMatchObject({ status: 200, body: "POST /a%2Fb?c=d hello" });
    expect(answer.headers).toMatchObject({ "x-answer": "1, 2" });
    expect(answer.headers["proxy-authenticate"]).toBeUndefined();
    expect(answer.headers["keep-alive"]).not.toBe("timeout=99");
    expect(seen[0]?.headers).toMatchObject({ host: `127.0.0.1:${upstream.port}`, "content-length": "5" });
    for (const name of ["proxy-authorization", "proxy-connection", "x-secret", "te"])
      expect(seen[0]?.headers[name]).toBeUndefined();
  });

  it("keep a chunked body framed, so that it cannot become a second request", async () => {
    const urls: string[] = [];
    const upstream = await serve(async (incoming, response) => {
      urls.push(`${incoming.method} ${incoming.url} ${await text(incoming)}`);
      response.end("ok");
    });
    await listen({ allow: [`127.0.0.1:${upstream.port}`] });
    const smuggled = "GET /second HTTP/1.1\r\nHost: x\r\n\r\n";
    await get(`http://127.0.0.1:${upstream.port}/first`, {
      method: "DELETE",
      headers: { "transfer-encoding": "chunked" },
      body: smuggled,
    });
    expect(urls).toEqual([`DELETE /first ${smuggled}`]);
  });

  it("to a host that is not on the list get a 403 that names the host and the setting", async () => {
    const refused: string[] = [];
    await listen({
      allow: ["allowed.test"],
      onRefused: ({ destination, reason }) => refused.push(`${destination} ${reason}`),
    });
    const answer = await get("http://evil.test/");
    expect(answer.status).toBe(403);
    expect(answer.body).toMatch(/evil\.test:80.*DORMOUSE_EGRESS_ALLOW/);
    expect(refused).toEqual(["evil.test:80 denied"]);
  });

  it.each([
    ["loopback by address", "127.0.0.1", ["127.0.0.1"]],
    ["loopback by name", "localhost", ["localhost"]],
    ["a name that points at loopback", "rebind.test", ["rebind.test"]],
    ["a wildcard name that points at loopback, even with the port", "a.rebind.test", ["*.rebind.test:PORT"]],
    ["a name with one public and one private address", "mixed.test", ["mixed.test"]],
    ["a mapped address", "[::ffff:127.0.0.1]", ["[::ffff:127.0.0.1]"]],
    ["the address 0.0.0.0", "0.0.0.0", ["0.0.0.0"]],
  ])("to %s never connect, though the list names the host without its port", async (_what, host, allow) => {
    const upstream = await serve((_incoming, response) => response.end("CANARY"));
    await listen({
      allow: allow.map((entry) => entry.replace("PORT", String(upstream.port))),
      lookup: names({
        localhost: ["127.0.0.1"],
        "rebind.test": ["127.0.0.1"],
        "a.rebind.test": ["127.0.0.1"],
        "mixed.test": ["1.1.1.1", "127.0.0.1"],
      }),
    });
    const plain = await get(`http://${host}:${upstream.port}/`);
    expect(plain).toMatchObject({ status: 403 });
    expect(plain.body).toMatch(/private or loopback/);
    expect((await tunnel(`${host}:${upstream.port}`)).status).toBe(403);
    expect(upstream.accepted()).toBe(0);
  });

  it("connect to the address that was checked: the name is looked up once", async () => {
    const upstream = await serve((_incoming, response) => response.end("there"));
    const asked: string[] = [];
    await listen({
      allow: [`named.test:${upstream.port}`],
      lookup: async (host) => {
        asked.push(host);
        return [{ address: "127.0.0.1", family: 4 }];
      },
    });
    expect(await get(`http://named.test:${upstream.port}/`)).toMatchObject({ status: 200, body: "there" });
    expect(asked).toEqual(["named.test"]);
  });

  it("get words when the host is unknown or nobody listens", async () => {
    const upstream = await serve(() => {});
    upstream.server.close();
    await listen({ allow: ["unknown.test", `127.0.0.1:${upstream.port}`], lookup: names({}) });
    expect(await get("http://unknown.test/")).toMatchObject({
      status: 502,
      body: expect.stringContaining("[unreachable]"),
    });
    expect(await get(`http://127.0.0.1:${upstream.port}/`)).toMatchObject({
      status: 502,
      body: expect.stringContaining("[unreachable]"),
    });
  });
});

describe("CONNECT", () => {
  it("carries bytes both ways, and half-closed streams to their end", async () => {
    const echo = createTcpServer({ allowHalfOpen: true }, (socket) => {
      socket.on("end", () => socket.end("bye"));
      socket.on("data", (bytes) => socket.write(bytes));
    });
    await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
    closeLater(() => echo.close());
    await listen({ allow: [`127.0.0.1:${(echo.address() as AddressInfo).port}`] });
    const { socket } = await tunnel(`127.0.0.1:${(echo.address() as AddressInfo).port}`);
    socket.end("hello ");
    expect(await text(socket)).toBe("hello bye");
  });

  it("to a host that is not on the list gets a 403 with words", async () => {
    await listen();
    const answer = await tunnel("evil.test:443");
    expect(answer.status).toBe(403);
    expect(answer.body).toMatch(/evil\.test:443.*DORMOUSE_EGRESS_ALLOW/);
  });
});

describe("loopback", () => {
  it("is the sandbox's own, except for the port of the host that an entry names", async () => {
    const inside = await serve((_incoming, response) => response.end("inside"));
    const host = await serve((_incoming, response) => response.end("host"));
    const asked: number[] = [];
    await listen({
      allow: [`127.0.0.1:${host.port}`, "localhost"],
      dialInside: async (port) => {
        asked.push(port);
        if (port === 9) throw new Error("refused");
        return connect(inside.port, "127.0.0.1").pause();
      },
    });
    expect((await get(`http://127.0.0.1:${host.port}/`)).body).toBe("host");
    for (const name of ["127.0.0.1", "localhost", "LOCALHOST.", "app.localhost", "[::1]", "127.1.2.3", "0x7f.1"]) {
      expect((await get(`http://${name}:3000/`)).body, name).toBe("inside");
      expect((await tunnel(`${name}:3000`)).status, name).toBe(200);
    }
    expect(new Set(asked)).toEqual(new Set([3000]));
    expect(await get("http://localhost:9/")).toMatchObject({
      status: 502,
      body: expect.stringContaining("Nothing listens"),
    });
    expect((await get("http://10.0.0.1/")).status).toBe(403);
    expect((await get("http://0.0.0.0:3000/")).status).toBe(403);
  });
});

describe("git.internal", () => {
  const gateway: GitGateway = {
    serve: async (remote, incoming, response) => void response.end(`${remote} ${incoming.url}`),
  };

  it("goes to the gateway with the remote of this sandbox's policy", async () => {
    const listener = await listen({ gateway, gitRemote: "https://forge.test/o/r" });
    expect((await get("http://git.internal/repo/info/refs")).body).toBe(
      "https://forge.test/o/r http://git.internal/repo/info/refs",
    );
    listener.setPolicy({ allow: [], gitRemote: "https://forge.test/o/other" });
    expect((await get("http://GIT.internal./repo/info/refs")).body).toMatch(/^https:\/\/forge\.test\/o\/other /);
  });

  it("is 404 without a repository, on another port, and refused as a tunnel", async () => {
    await listen({ gateway });
    expect(await get("http://git.internal/repo/info/refs")).toMatchObject({
      status: 404,
      body: expect.stringContaining("no repository"),
    });
    expect((await get("http://git.internal:8080/repo/info/refs")).status).toBe(404);
    expect((await tunnel("git.internal:443")).status).toBe(403);
    expect((await tunnel("git.internal:80")).status).toBe(403);
  });

  it("survives a gateway that fails", async () => {
    const failing: GitGateway = { serve: () => Promise.reject(new Error("CANARY")) };
    await listen({ gateway: failing, gitRemote: "https://forge.test/o/r" });
    const answer = await get("http://git.internal/repo/info/refs");
    expect(answer.status).toBe(502);
    expect(answer.body).not.toContain("CANARY");
  });
});
