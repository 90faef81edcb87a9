import type { Duplex } from "node:stream";
import { z } from "zod";
import { SandboxError } from "@/lib/sandbox/errors";
import type { ListeningPort } from "@/lib/sandbox/provider";
import { AgentFailure, callAgent, parseReply } from "./agent-calls";
import { AgentLost, connectAgent, sendRequest } from "./agent-link";

const DIAL_TIMEOUT_MS = 10_000;
const CONNECTED = "+".charCodeAt(0);
const HEAD_BYTES = 5;

const portList = z.object({
  ports: z
    .array(
      z.object({
        port: z.number().int().min(1).max(65_535),
        command: z.array(z.string()).max(200),
        cwd: z.string().max(8_192),
      }),
    )
    .max(1_000),
});

export async function listPorts(folder: string): Promise<ListeningPort[]> {
  return (await callAgent(folder, { op: "ports" }, portList)).ports;
}

/** Throws `not_found`, reason `port_closed`, when nothing listens there. */
export async function dialPort(folder: string, port: number): Promise<Duplex> {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new SandboxError("permanent", `${port} is not a port.`, { reason: "bad_port" });
  }
  const socket = await connectAgent(folder);
  sendRequest(socket, { op: "dial", port });
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => finish(() => reject(closed(port))), DIAL_TIMEOUT_MS);
      let head = Buffer.alloc(0);
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        socket.off("data", read);
        socket.off("close", lost);
        socket.pause();
        settle();
      };
      const lost = () => finish(() => reject(new AgentLost("the agent hung up")));
      const read = (bytes: Buffer) => {
        head = Buffer.concat([head, bytes]);
        if (head[0] === CONNECTED) {
          const early = head.subarray(1);
          finish(() => {
            if (early.length > 0) socket.unshift(early);
            resolve();
          });
        } else if (head.length > 64 * 1024) {
          finish(() => reject(new AgentLost("the agent sent nonsense")));
        } else if (head.length >= HEAD_BYTES && head.length >= HEAD_BYTES + head.readUInt32BE(1)) {
          finish(() => reject(refusal(head.subarray(HEAD_BYTES), port)));
        }
      };
      socket.on("data", read);
      socket.once("close", lost);
    });
  } catch (error) {
    socket.destroy();
    throw error;
  }
  // Whoever gets it expects an ordinary connection, which ends on both sides together.
  socket.allowHalfOpen = false;
  return socket;
}

function refusal(payload: Buffer, port: number): Error {
  try {
    parseReply(payload, z.object({}));
    return new AgentLost("the agent sent nonsense");
  } catch (error) {
    return error instanceof AgentFailure ? closed(port) : (error as Error);
  }
}

function closed(port: number): SandboxError {
  return new SandboxError("not_found", `Nothing listens on port ${port} of the sandbox.`, { reason: "port_closed" });
}
