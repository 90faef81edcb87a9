import { isSandboxError, type SandboxErrorKind } from "@/lib/sandbox/errors";
import { LEASE_LOST, type ToolContext, type ToolResult } from "../tool";

const WORDS: Readonly<Record<SandboxErrorKind, { readonly error: string; readonly message: string }>> = {
  not_found: { error: "not_found", message: "The sandbox does not know this." },
  gone: {
    error: "sandbox_gone",
    message: "The sandbox was lost while the tool ran. What was not saved in it is gone.",
  },
  conflict: { error: "sandbox_busy", message: "The sandbox is busy with another operation. Try again." },
  throttled: { error: "sandbox_busy", message: "The sandbox asks for patience. Try again in a moment." },
  transient: { error: "sandbox_trouble", message: "The sandbox could not be reached. Try again." },
  permanent: { error: "refused", message: "The sandbox refused this." },
  unknown_outcome: {
    error: "unknown_outcome",
    message: "It is not known whether this happened. Look at the result before you do it again.",
  },
};

const REASONS: Readonly<Record<string, string>> = {
  disk_full: "The disk of the sandbox is full. Delete what is not needed.",
  not_a_file: "This is not a regular file.",
  not_a_directory: "A part of the path is not a folder.",
  is_a_directory: "This is a folder.",
  permission_denied: "The sandbox does not permit this.",
};

/** A failed result; `error` is a stable word, `message` is written for the model. */
export function failed(error: string, message: string, more: Readonly<Record<string, unknown>> = {}): ToolResult {
  return { ok: false, output: { error, message, ...more } };
}

/** The result of a call that ended early: by Stop, or because another process took the turn over. */
export function endedEarly(signal: AbortSignal, more: Readonly<Record<string, unknown>> = {}): ToolResult {
  return isLeaseLost(signal)
    ? failed("lease_lost", "Another process goes on with this call.", more)
    : failed("stopped", "The person stopped this before it ended.", { stopped: true, ...more });
}

/** True when the signal fired because somebody else owns the call now, so that its command must live on. */
export function isLeaseLost(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason === LEASE_LOST;
}

/**
 * Runs the body of a tool and turns what is to be expected into a result: a stop, and every `SandboxError`.
 * Anything else is a bug and is thrown on.
 */
export async function orFailure(
  context: Pick<ToolContext, "signal">,
  body: () => Promise<ToolResult>,
): Promise<ToolResult> {
  if (context.signal.aborted) return endedEarly(context.signal);
  try {
    return await body();
  } catch (error) {
    if (context.signal.aborted) return endedEarly(context.signal);
    if (!isSandboxError(error)) throw error;
    const words = WORDS[error.kind];
    const message = (error.reason === undefined ? undefined : REASONS[error.reason]) ?? words.message;
    return failed(words.error, message, error.reason === undefined ? {} : { reason: error.reason });
  }
}
