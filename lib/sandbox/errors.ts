/**
 * What can go wrong at a sandbox provider, as one closed list (design.md, section 7). Adapters translate the
 * errors of their SDK or kernel into these; nobody else reads a provider's message.
 *
 * - `not_found`: no such sandbox, command, snapshot or file
 * - `gone`: it was there, and was lost behind our back (killed, evicted)
 * - `conflict`: another operation on the same sandbox is under way; look again, then decide
 * - `throttled`: the provider asks for patience; `retryAfterMs` may say how much
 * - `transient`: try again
 * - `permanent`: trying again cannot help until somebody changes something
 * - `unknown_outcome`: it may or may not have happened; reconcile before trying again
 */
export type SandboxErrorKind =
  | "not_found"
  | "gone"
  | "conflict"
  | "throttled"
  | "transient"
  | "permanent"
  | "unknown_outcome";

export class SandboxError extends Error {
  readonly kind: SandboxErrorKind;
  readonly retryAfterMs: number | undefined;
  /** A short machine word that narrows the kind, e.g. `snapshot_damaged`, `disk_full`, `not_a_directory`. */
  readonly reason: string | undefined;

  constructor(
    kind: SandboxErrorKind,
    message: string,
    more: { reason?: string; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = "SandboxError";
    this.kind = kind;
    this.reason = more.reason;
    this.retryAfterMs = more.retryAfterMs;
  }
}

/**
 * True when `error` is a `SandboxError`, of one of `kinds` if any are given. Told by its name: the provider and a step come from
 * different bundles, each with a class of its own.
 */
export function isSandboxError(error: unknown, ...kinds: SandboxErrorKind[]): error is SandboxError {
  if (!(error instanceof Error) || error.name !== "SandboxError" || !("kind" in error)) return false;
  return kinds.length === 0 || kinds.includes(error.kind as SandboxErrorKind);
}
