import { open } from "node:fs/promises";
import { connect, type Socket } from "node:net";

/** The agent is not there, or hung up in the middle. Who talks to it finds out what that means for the sandbox. */
export class AgentLost extends Error {
  override readonly name = "AgentLost";
}

export const FRAME = { stdout: 1, stderr: 2, end: 3, data: 4 } as const;

export interface Frame {
  readonly type: number;
  readonly payload: Buffer;
}

/** Nothing inside is believed: no frame may make the app hold more than this. */
const MAX_FRAME_BYTES = 8 * 1024 * 1024;
const HEAD_BYTES = 5;

/** Connects to the control socket in `folder`, by way of /proc/self/fd because socket paths may have only 107 bytes. */
export async function connectAgent(folder: string): Promise<Socket> {
  const directory = await open(folder, "r").catch((cause) => {
    throw new AgentLost("no control socket", { cause });
  });
  try {
    return await new Promise<Socket>((resolve, reject) => {
      const socket = connect({ path: `/proc/self/fd/${directory.fd}/agent.sock`, allowHalfOpen: true });
      const fail = (cause: Error) => reject(new AgentLost("the agent does not answer", { cause }));
      socket.once("error", fail);
      socket.once("connect", () => {
        socket.off("error", fail);
        socket.on("error", () => {});
        resolve(socket);
      });
    });
  } finally {
    await directory.close();
  }
}

export interface AgentRequest {
  readonly op: string;
  readonly [field: string]: unknown;
}

/** Sends the request line and the raw bytes that belong to it. */
export function sendRequest(socket: Socket, request: AgentRequest, body?: Uint8Array): void {
  socket.cork();
  socket.write(`${JSON.stringify(request)}\n`);
  if (body && body.length > 0) socket.write(body);
  socket.uncork();
}

/** The frames of a reply up to and including the last. Throws `AgentLost` when the last one does not come. */
export async function* readFrames(socket: Socket): AsyncGenerator<Frame> {
  let parts: Buffer[] = [];
  let held = 0;
  let needed = HEAD_BYTES;
  try {
    for await (const bytes of socket as AsyncIterable<Buffer>) {
      parts.push(bytes);
      held += bytes.length;
      if (held < needed) continue;
      let buffer = parts.length === 1 ? bytes : Buffer.concat(parts);
      needed = HEAD_BYTES;
      while (buffer.length >= HEAD_BYTES) {
        const length = buffer.readUInt32BE(1);
        if (length > MAX_FRAME_BYTES) throw new AgentLost("the agent sent too large a frame");
        needed = HEAD_BYTES + length;
        if (buffer.length < needed) break;
        const frame = { type: buffer.readUInt8(0), payload: buffer.subarray(HEAD_BYTES, needed) };
        yield frame;
        if (frame.type === FRAME.end) return;
        buffer = buffer.subarray(needed);
        needed = HEAD_BYTES;
      }
      parts = [buffer];
      held = buffer.length;
    }
  } catch (cause) {
    if (cause instanceof AgentLost) throw cause;
    throw new AgentLost("the connection to the agent broke", { cause });
  } finally {
    socket.destroy();
  }
  throw new AgentLost("the agent hung up");
}
