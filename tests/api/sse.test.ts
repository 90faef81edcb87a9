import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { replayText } from "../crash/replay";
import { collectUntil, type StreamedEvent } from "./sse";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A server that writes these pieces one after the other and then leaves the connection open. */
async function serve(pieces: readonly string[], end = false): Promise<{ url: string; token: string }> {
  server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const piece of pieces) response.write(piece);
    if (end) response.end();
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: "t" };
}

const event = (seq: number, more: object = {}) => `id: ${seq}\ndata: ${JSON.stringify({ seq, ...more })}\n\n`;

describe("the stream reader of the tests", () => {
  test("joins events that arrive in pieces, and keeps the id line apart from the data", async () => {
    const text = `${event(1, { id: "inner" })}data: {"name":"now"}\n\n`;
    const target = await serve([...text].map(String));
    const events = await collectUntil(target, "/x", ({ name }) => name === "now");
    expect(events).toMatchObject([{ seq: 1, id: "inner", lineId: "1" }, { name: "now" }]);
    expect(events[1]?.lineId).toBeUndefined();
  });

  test("gives what there is when the server ends the stream, and fails when time is over", async () => {
    const ended = await serve([event(1)], true);
    expect((await collectUntil(ended, "/x", () => false)).length).toBe(1);
    const open = await serve([event(1)]);
    await expect(collectUntil(open, "/x", () => false, { timeoutMs: 100 })).rejects.toThrow(/100 ms passed after 1/);
  });

  test("replays deltas as a client does: a reset throws away the unfinished step only", () => {
    const chunk = (type: string, delta?: string) => ({
      kind: "delta",
      name: "chunk",
      turnId: "t",
      chunk: { type, delta },
    });
    const events = [
      chunk("start-step"),
      chunk("text-delta", "kept "),
      chunk("finish-step"),
      chunk("start-step"),
      chunk("text-delta", "lost "),
      chunk("finish-step"),
      { kind: "delta", name: "reset-step", turnId: "t" },
      chunk("start-step"),
      chunk("text-delta", "again"),
    ] as unknown as StreamedEvent[];
    expect(replayText(events, "t")).toBe("kept again");
  });
});
