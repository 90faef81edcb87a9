import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ChatConnection, type ConnectionState } from "@/components/chat/chat-connection";
import type { ChatEvent } from "@/lib/chat/contract";

/** A server whose streams the test writes into. */
function fakeServer() {
  const opened: { after: number; signal: AbortSignal; send: (event: object) => void; end: () => void }[] = [];
  let status = 200;
  const events: ChatEvent[] = [];
  const states: ConnectionState[] = [];
  const connection = new ChatConnection({
    after: 7,
    open: async (after, signal) => {
      if (status !== 200) return new Response("", { status });
      const encoder = new TextEncoder();
      let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
      const body = new ReadableStream<Uint8Array>({
        start(given) {
          controller = given;
        },
      });
      signal.addEventListener("abort", () => controller?.error(signal.reason));
      opened.push({
        after,
        signal,
        send: (event) => controller?.enqueue(encoder.encode(`data: ${JSON.stringify(event)}\n\n`)),
        end: () => controller?.close(),
      });
      return new Response(body);
    },
    onEvents: (batch) => events.push(...batch),
    onState: (state) => states.push(state),
  });
  const answerWith = (next: number) => {
    status = next;
  };
  return { connection, opened, events, states, answerWith };
}

describe("the connection of a chat", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  it("gives the events in batches and drops heartbeats", async () => {
    const { connection, opened, events, states } = fakeServer();
    connection.connect();
    await pass(0);
    opened[0]?.send({ seq: 8, kind: "notice" });
    opened[0]?.send({ kind: "heartbeat" });
    await pass(10);
    expect(events).toEqual([]);
    await pass(60);
    expect(events).toEqual([{ seq: 8, kind: "notice" }]);
    expect(states).toEqual(["connecting", "live"]);
    connection.close();
  });

  it("comes back after a cut line and asks for what follows the last event", async () => {
    const { connection, opened, states } = fakeServer();
    connection.connect();
    await pass(0);
    opened[0]?.send({ seq: 8, kind: "notice" });
    await pass(0);
    opened[0]?.end();
    await pass(600);
    expect(opened.map((stream) => stream.after)).toEqual([7, 8]);
    expect(states).toContain("retrying");
    connection.close();
  });

  it("waits longer each time a server does not answer, but never more than 15 s", async () => {
    const { connection, opened, answerWith } = fakeServer();
    answerWith(503);
    connection.connect();
    await pass(120_000);
    expect(opened).toHaveLength(0);
    answerWith(200);
    await pass(15_000);
    expect(opened).toHaveLength(1);
    connection.close();
  });

  it("takes a line without a heartbeat for dead", async () => {
    const { connection, opened } = fakeServer();
    connection.connect();
    await pass(41_000);
    expect(opened[0]?.signal.aborted).toBe(true);
    expect(opened).toHaveLength(2);
    connection.close();
  });

  it("lets go 30 s after the tab was hidden and goes on when it is seen again", async () => {
    const { connection, opened, states } = fakeServer();
    connection.connect();
    await pass(0);
    opened[0]?.send({ seq: 9, kind: "notice" });
    connection.setVisible(false);
    await pass(29_000);
    expect(opened[0]?.signal.aborted).toBe(false);
    await pass(1_100);
    expect(opened[0]?.signal.aborted).toBe(true);
    expect(states.at(-1)).toBe("paused");
    await pass(120_000);
    expect(opened).toHaveLength(1);
    connection.setVisible(true);
    await pass(0);
    expect(opened[1]?.after).toBe(9);
    connection.close();
  });

  it("stays open when the tab is hidden for a moment only", async () => {
    const { connection, opened } = fakeServer();
    connection.connect();
    await pass(0);
    connection.setVisible(false);
    await pass(10_000);
    connection.setVisible(true);
    await pass(25_000);
    expect(opened).toHaveLength(1);
    expect(opened[0]?.signal.aborted).toBe(false);
    connection.close();
  });

  it("does not try again when the chat is gone or nobody is signed in", async () => {
    for (const [status, state] of [
      [404, "gone"],
      [401, "signed-out"],
    ] as const) {
      const { connection, states, answerWith } = fakeServer();
      answerWith(status);
      connection.connect();
      await pass(60_000);
      expect(states).toEqual(["connecting", state]);
    }
  });
});
