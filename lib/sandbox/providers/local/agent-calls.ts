import { z } from "zod";
import { SandboxError } from "@/lib/sandbox/errors";
import { AgentLost, type AgentRequest, connectAgent, FRAME, type Frame, readFrames, sendRequest } from "./agent-link";

const CALL_TIMEOUT_MS = 30_000;

export interface CallOptions {
  readonly body?: Uint8Array;
  /** Every frame before the last one. */
  readonly onFrame?: (frame: Frame) => void;
  readonly timeoutMs?: number;
}

/**
 * One operation of the agent, to its last frame, checked against `reply`. Throws `AgentFailure` for what the agent
 * refuses, `AgentLost` when it does not answer, `transient` after `timeoutMs`.
 */
export async function callAgent<T>(
  folder: string,
  request: AgentRequest,
  reply: z.ZodType<T>,
  options: CallOptions = {},
): Promise<T> {
  const socket = await connectAgent(folder);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    socket.destroy();
  }, options.timeoutMs ?? CALL_TIMEOUT_MS);
  try {
    sendRequest(socket, request, options.body);
    for await (const frame of readFrames(socket)) {
      if (frame.type === FRAME.end) return parseReply(frame.payload, reply);
      options.onFrame?.(frame);
    }
    throw new AgentLost("the agent hung up");
  } catch (error) {
    if (late) throw new SandboxError("transient", "The sandbox took too long to answer.", { reason: "agent_timeout" });
    throw error;
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

/** The agent could not do what it was asked; `code` is an errno name or one of its own. */
export class AgentFailure extends Error {
  override readonly name = "AgentFailure";
  constructor(readonly code: string) {
    super(`the sandbox answered ${code}`);
  }
}

const failed = z.object({ error: z.string().max(100) });

/** The last frame of an operation. Throws `AgentFailure` for an error, `AgentLost` for anything that we did not ask for. */
export function parseReply<T>(payload: Buffer, reply: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(payload.toString("utf8"));
  } catch (cause) {
    throw new AgentLost("the agent sent nonsense", { cause });
  }
  const failure = failed.safeParse(value);
  if (failure.success) throw new AgentFailure(failure.data.error);
  const parsed = reply.safeParse(value);
  if (!parsed.success) throw new AgentLost("the agent sent nonsense", { cause: parsed.error });
  return parsed.data;
}

export const commandExit = z.object({
  exitCode: z.number().int().nullable(),
  signal: z.string().max(20).nullable(),
  timedOut: z.boolean(),
  droppedBytes: z.number().nonnegative(),
  error: z.string().max(10_000).optional(),
});
