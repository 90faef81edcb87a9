import { type CloneFailure, classifyCloneFailure } from "@/lib/git/clone-failure";
import { isSandboxError } from "@/lib/sandbox/errors";

/** A phase that cannot go on. `class` is one of a closed list; the message is for a person and holds no secret. */
export class StartFailure extends Error {
  readonly failureClass: string;
  readonly retryable: boolean;

  constructor(failureClass: string, message: string, retryable: boolean) {
    super(message);
    this.name = "StartFailure";
    this.failureClass = failureClass;
    this.retryable = retryable;
  }
}

export function cloneFailure(stderr: string): StartFailure {
  const failure: CloneFailure = classifyCloneFailure(stderr);
  return new StartFailure(failure.class, failure.message, true);
}

/** Whether trying again by itself may help; everything else fails the start at once (properties.md, R18). */
export function mayHelpItself(error: unknown): boolean {
  return isSandboxError(error, "transient", "throttled", "conflict", "unknown_outcome", "gone");
}

/** Words for what a sandbox provider refused. */
export function toStartFailure(error: unknown): StartFailure {
  if (error instanceof StartFailure) return error;
  if (isSandboxError(error)) {
    if (error.reason === "disk_full") return new StartFailure("disk_full", "The disk is full.", true);
    return new StartFailure(
      `sandbox_${error.kind}`,
      `The sandbox could not be made ready: ${error.message.split("\n", 1)[0] ?? ""}`,
      true,
    );
  }
  return new StartFailure(
    "internal",
    "The start failed for a reason of its own; the log has it under the reference.",
    true,
  );
}
