import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
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
