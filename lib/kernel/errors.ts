/**
 * The closed list of codes that the HTTP API answers with, and the status of each (api.md, "Errors").
 * Clients switch on the code, never on the message.
 */
export const STATUS_OF = {
  malformed: 400,
  unauthorized: 401,
  cross_origin: 403,
  not_found: 404,
  conflict: 409,
  busy: 409,
  asleep: 409,
  nothing_to_commit: 409,
  archived: 410,
  too_large: 413,
  unprocessable: 422,
  not_built: 422,
  no_remote: 422,
  push_refused: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof STATUS_OF;

/** An expected failure. `message` is written for a person and never holds a secret; `details` is JSON. */
export interface AppError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryable: boolean;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Codes whose request may simply be sent again later. */
const RETRYABLE: ReadonlySet<ErrorCode> = new Set(["rate_limited", "unavailable", "internal"]);

/** Builds an `AppError`; `retryable` follows from the code unless it is given. */
export function appError(
  code: ErrorCode,
  message: string,
  more: { retryable?: boolean; details?: Readonly<Record<string, unknown>> } = {},
): AppError {
  return {
    code,
    message,
    retryable: more.retryable ?? RETRYABLE.has(code),
    ...(more.details ? { details: more.details } : {}),
  };
}

/** The one answer for what is not there and for what belongs to somebody else (design.md, section 10). */
export function notFound(what = "This"): AppError {
  return appError("not_found", `${what} does not exist.`);
}

/** A bug: a state that the code holds to be impossible. Becomes a 500 with a request id. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant: ${message}`);
}
