import { stat, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { get, listen, moveSocket, names, proxyPerTest, raw, serve, socketOf, tunnel } from "./testing/proxy";

proxyPerTest();

describe("the listener", () => {
  it("applies a changed policy to the next request", async () => {
    const upstream = await serve((_incoming, response) => response.end("there"));
    const listener = await listen();
    const url = `http://127.0.0.1:${upstream.port}/`;
    expect((await get(url)).status).toBe(403);
    listener.setPolicy({ allow: [`127.0.0.1:${upstream.port}`], gitRemote: null });
    expect((await get(url)).status).toBe(200);
    listener.setPolicy({ allow: [], gitRemote: null });
    expect((await get(url)).status).toBe(403);
  });

  it.each([
    ["nonsense", "\0\x01\x02nonsense\r\n\r\n"],
    ["a request that is not for a proxy", "GET / HTTP/1.1\r\nHost: evil\r\n\r\n"],
    ["a CONNECT to nothing", "CONNECT  HTTP/1.1\r\n\r\n"],
    ["a CONNECT with a path", "CONNECT http://a/b HTTP/1.1\r\nHost: x\r\n\r\n"],
    [
      "both framings",
      "POST http://127.0.0.1:1/ HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["a huge header", `GET http://a.test/ HTTP/1.1\r\nX: ${"a".repeat(100_000)}\r\n\r\n`],
    ["another protocol", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
  ])("answers %s with an error and goes on", async (_what, bytes) => {
    await listen();
    expect(
      await raw(bytes.endsWith("\r\n\r\n") ? bytes.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n") : bytes),
    ).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect((await get("http://evil.test/")).status).toBe(403);
  });

  it("goes on when peers reset their connections in the middle", async () => {
    let reset: (() => void) | undefined;
    const upstream = await serve((_incoming, response) => {
      response.write("x".repeat(100_000));
      reset = () => response.socket?.resetAndDestroy();
    });
    await listen({ allow: [`127.0.0.1:${upstream.port}`] });
    const cut = new Promise((resolve) => {
      const outgoing = request({ socketPath: socketOf(), path: `http://127.0.0.1:${upstream.port}/`, agent: false });
      outgoing.once("response", (answer) => {
        answer.once("error", resolve).resume();
        reset?.();
      });
      outgoing.on("error", () => {}).end();
    });
    expect(await cut).toBeInstanceOf(Error);
    const early = connect(socketOf());
    early.on("error", () => {});
    early.write(`CONNECT 127.0.0.1:${upstream.port} HTTP/1.1\r\n\r\n`);
    early.destroy();
    expect((await get("http://evil.test/")).status).toBe(403);
  });

  it("holds at most 64 connections of one sandbox, and says so", async () => {
    await listen();
    const held = await Promise.all(
      Array.from({ length: 64 }, async () => {
        const socket = connect(socketOf());
        await new Promise((resolve) => socket.once("connect", resolve));
        return socket;
      }),
    );
    expect(await raw("GET http://evil.test/ HTTP/1.1\r\n\r\n")).toMatch(/^HTTP\/1\.1 503 .*64 connections/s);
    for (const socket of held) socket.destroy();
    await expect.poll(async () => (await get("http://evil.test/").catch(() => null))?.status).toBe(403);
  });

  it("makes a socket for its owner only, replaces a stale one, and takes it away at the end", async () => {
    await writeFile(socketOf(), "left by a crash");
    const listener = await listen();
    expect((await stat(socketOf())).mode & 0o777).toBe(0o600);
    await listener.close();
    await listener.close();
    await expect(stat(socketOf())).rejects.toThrow("ENOENT");
  });

  it("leaves the socket of its successor alone", async () => {
    const first = await listen();
    await listen({ allow: ["evil.test"], lookup: names({}) });
    await first.close();
    expect((await get("http://evil.test/")).status).toBe(502);
  });

  it("works in a folder whose path is longer than a socket address", async () => {
    await moveSocket("d".repeat(120));
    await listen();
    expect((await stat(socketOf())).isSocket()).toBe(true);
  });

  it("cuts open tunnels when it closes", async () => {
    const upstream = await serve(() => {});
    const listener = await listen({ allow: [`127.0.0.1:${upstream.port}`] });
    const { socket } = await tunnel(`127.0.0.1:${upstream.port}`);
    socket.on("error", () => {});
    const closed = new Promise((resolve) => socket.once("close", resolve));
    await listener.close();
    socket.resume();
    await closed;
  });
});
