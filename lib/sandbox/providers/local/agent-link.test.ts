import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { AgentFailure, callAgent } from "./agent-calls";
import { AgentLost } from "./agent-link";
import { attachCommand, execCommand } from "./commands";
import { listFilesInside, readFileInside } from "./files";

function frame(type: number, payload: Buffer | string): Buffer {
  const bytes = Buffer.from(payload);
  const head = Buffer.alloc(5);
  head[0] = type;
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

const END = 3;
const DATA = 4;

describe("an agent that lies, as any program in a sandbox can make it", () => {
  let folder: string;
  let server: Server;
  let answer: (socket: Socket) => void;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "dormouse-agent-"));
    server = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => answer(socket));
    });
    await new Promise<void>((resolve) => server.listen(path.join(folder, "agent.sock"), resolve));
  });

  afterEach(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });

  const call = () => callAgent(folder, { op: "ping" }, z.object({ ok: z.literal(true) }), { timeoutMs: 300 });

  it("cannot make the app hold a frame of any size", async () => {
    answer = (socket) => socket.write(Buffer.from([END, 0x7f, 0xff, 0xff, 0xff]));
    await expect(call()).rejects.toBeInstanceOf(AgentLost);
  });

  it("cannot keep the app waiting", async () => {
    answer = () => {};
    await expect(call()).rejects.toMatchObject({ kind: "transient", reason: "agent_timeout" });
  });

  it.each(["nonsense", "[]", "null", '{"ok":"yes"}', '{"error":5}'])(
    "cannot pass %s off as an answer",
    async (text) => {
      answer = (socket) => socket.end(frame(END, text));
      await expect(call()).rejects.toBeInstanceOf(AgentLost);
    },
  );

  it("is understood when a frame comes in pieces", async () => {
    answer = (socket) => {
      const whole = Buffer.concat([frame(DATA, "x"), frame(END, '{"ok":true}')]);
      let at = 0;
      const next = () => {
        if (at >= whole.length) return;
        socket.write(whole.subarray(at, at + 1), () => setImmediate(next));
        at += 1;
      };
      next();
    };
    await expect(call()).resolves.toEqual({ ok: true });
  });

  it("cannot send more of a file than was asked for", async () => {
    answer = (socket) => socket.end(Buffer.concat([frame(DATA, "12345"), frame(END, '{"size":5,"mode":420}')]));
    await expect(readFileInside(folder, "/x", { maxBytes: 4 })).rejects.toBeInstanceOf(AgentLost);
  });

  it("cannot send more output than the cap", async () => {
    answer = (socket) => socket.write(frame(1, "12345"));
    await expect(execCommand(folder, { command: "x", outputCapBytes: 4 })).rejects.toBeInstanceOf(AgentLost);
  });

  it("cannot name files of other folders", async () => {
    const entries = [{ name: "../../etc/passwd", type: "file", size: 1 }];
    answer = (socket) => socket.end(frame(END, JSON.stringify({ entries })));
    await expect(listFilesInside(folder, "/x")).rejects.toBeInstanceOf(AgentLost);
  });

  it("cannot end a followed command without an exit", async () => {
    answer = (socket) => socket.end(frame(1, "some"));
    const following = attachCommand(folder, "c");
    await following.next();
    await expect(following.next()).rejects.toBeInstanceOf(AgentLost);
  });

  it("is told apart when it refuses", async () => {
    answer = (socket) => socket.end(frame(END, '{"error":"ENOENT"}'));
    await expect(call()).rejects.toBeInstanceOf(AgentFailure);
    await expect(readFileInside(folder, "/x", {})).rejects.toMatchObject({ kind: "not_found" });
  });
});

it("an agent that is not there is lost", async () => {
  await expect(callAgent("/nonexistent", { op: "ping" }, z.object({}))).rejects.toBeInstanceOf(AgentLost);
});
