import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createCheckedFetch } from "./checked-fetch";

let server: Server;
let port: number;
let accepted = 0;
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === "/away") return response.writeHead(302, { location: "http://127.0.0.1:1/" }).end();
    let text = "";
    request.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on("end", () => response.writeHead(201, { "x-one": "1" }).end(`${request.method} ${text}`));
  });
  server.on("connection", () => {
    accepted += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

test("where private addresses are allowed it is an ordinary fetch", async () => {
  const answer = await createCheckedFetch({ privateAllowed: true })(`http://127.0.0.1:${port}/x`, {
    method: "POST",
    body: "hello",
  });
  expect([answer.status, answer.headers.get("x-one"), await answer.text()]).toEqual([201, "1", "POST hello"]);
});

test("a redirect is not followed", async () => {
  const checked = createCheckedFetch({ privateAllowed: true });
  await expect(checked(`http://127.0.0.1:${port}/away`)).rejects.toThrow(/redirect/);
});

test.each([
  "http://127.0.0.1:PORT/",
  "http://localhost:PORT/",
  "http://[::1]:PORT/",
  "http://[::ffff:127.0.0.1]:PORT/",
  "http://2130706433:PORT/",
  "http://0x7f.1:PORT/",
  "http://169.254.169.254/latest/meta-data",
  "http://10.0.0.1/",
  "https://192.168.1.1/",
])("%s is never connected to where they are not", async (url) => {
  const before = accepted;
  const checked = createCheckedFetch({ privateAllowed: false });
  await expect(checked(url.replace("PORT", String(port)))).rejects.toMatchObject({ name: "DialError" });
  expect(accepted).toBe(before);
});

test("a public name that leads to a private address is never connected to", async () => {
  const before = accepted;
  const lookup = async () => [{ address: "127.0.0.1", family: 4 }];
  const checked = createCheckedFetch({ privateAllowed: false, lookup });
  await expect(checked(`http://models.example:${port}/`)).rejects.toMatchObject({ failure: "private_address" });
  expect(accepted).toBe(before);
});

describe("a server that accepts a connection and never speaks TLS", () => {
  const sockets = new Set<Socket>();
  const silent = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.resume();
  });
  const ask = (signal: AbortSignal) =>
    createCheckedFetch({ privateAllowed: true })(`https://127.0.0.1:${(silent.address() as AddressInfo).port}/`, {
      signal,
    });
  const allClosed = () => vi.waitFor(() => expect(sockets.size).toBe(0));
  beforeAll(() => new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve)));
  afterAll(() => new Promise((resolve) => silent.close(resolve)));

  test("is left when the caller gives up, with the caller's reason", { timeout: 5_000 }, async () => {
    const caller = new AbortController();
    const answer = ask(caller.signal);
    await vi.waitFor(() => expect(sockets.size).toBe(1));
    caller.abort(new Error("enough"));
    await expect(answer).rejects.toThrow("enough");
    await allClosed();
  });

  test("is left after 15 seconds", { timeout: 5_000 }, async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const answer = ask(new AbortController().signal);
    const settled = expect(answer).rejects.toMatchObject({ name: "DialError", failure: "timeout" });
    await once(silent, "connection");
    // The handshake begins, and with it its time, some turns of the loop after the server has seen us.
    for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(15_000);
    await settled;
    await allClosed();
  });
});

describe("what a server sends is bounded", () => {
  const MB = 1024 * 1024;
  let sent = 0;
  const endless = createServer((request, response) => {
    const status = Number(request.url?.slice(1));
    if (status === 205)
      response.socket?.write("HTTP/1.1 205 Reset Content\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n");
    else if (status === 999) response.socket?.end("HTTP/1.1 999 Odd\r\n\r\n");
    else if (status === 101) response.socket?.end("HTTP/1.1 101 Other\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n");
    else response.writeHead(status);
    if (status === 205 || status === 999 || status === 101) return;
    const piece = Buffer.alloc(256 * 1024, "x");
    const go = () => {
      while (!response.destroyed) {
        sent += piece.length;
        if (!response.write(piece)) return void response.once("drain", go);
      }
    };
    go();
  });
  let open = 0;
  endless.on("connection", (socket) => {
    open += 1;
    socket.on("error", () => {});
    socket.on("close", () => {
      open -= 1;
    });
  });
  beforeAll(() => new Promise<void>((resolve) => endless.listen(0, "127.0.0.1", resolve)));
  afterAll(() => new Promise((resolve) => endless.close(resolve)));
  beforeEach(() => {
    sent = 0;
  });
  const ask = (status: number) =>
    createCheckedFetch({ privateAllowed: true })(
      `http://127.0.0.1:${(endless.address() as AddressInfo).port}/${status}`,
    );
  const allClosed = () => vi.waitFor(() => expect(open).toBe(0));

  test("a refusal without an end is cut after a megabyte and keeps its status", async () => {
    const answer = await ask(500);
    expect([answer.status, (await answer.text()).length <= MB]).toEqual([500, true]);
    await allClosed();
    expect(sent).toBeLessThan(20 * MB);
  });

  test("an answer without an end breaks off after 64 megabytes", async () => {
    const answer = await ask(200);
    await expect(answer.arrayBuffer()).rejects.toMatchObject({ name: "DialError" });
    await allClosed();
    expect(sent).toBeLessThan(90 * MB);
  });

  test("a status that has no body has none, whatever comes", async () => {
    const answer = await ask(205);
    expect([answer.status, answer.body]).toEqual([205, null]);
    await allClosed();
  });

  test.each([999, 101])("status %s is no answer", async (status) => {
    await expect(ask(status)).rejects.toMatchObject({ name: "DialError" });
    await allClosed();
  });
});
