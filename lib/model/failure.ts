import { APICallError } from "@ai-sdk/provider";
import { MODEL_FAILURES, type ModelFailureClass } from "./failure-list";

export type { ModelFailureClass } from "./failure-list";

export interface ModelFailure {
  readonly class: ModelFailureClass;
  /** Written for a person. Holds no secret: provider messages, which may quote a key, are not part of it. */
  readonly message: string;
  /** Whether the same call may succeed later without anybody changing anything. */
  readonly retryable: boolean;
  /** What the person can do when it does not help itself. */
  readonly advice: string;
  /** How long the provider asks to wait, if it said so. */
  readonly retryAfterMs?: number;
}

/** Builds a failure of a class with its standard words. */
export function modelFailure(
  failureClass: ModelFailureClass,
  more: { readonly message?: string; readonly retryable?: boolean; readonly retryAfterMs?: number | undefined } = {},
): ModelFailure {
  const standard = MODEL_FAILURES[failureClass];
  return {
    class: failureClass,
    message: more.message ?? standard.message,
    retryable: more.retryable ?? standard.retryable,
    advice: standard.advice,
    ...(more.retryAfterMs === undefined ? {} : { retryAfterMs: more.retryAfterMs }),
  };
}

/**
 * What a finish reason means. A step succeeds only on `stop` and `tool-calls`, which give null (design.md, section 5);
 * `undefined` stands for a stream that ended without one.
 */
export function failureOfFinish(finishReason: string | undefined): ModelFailure | null {
  switch (finishReason) {
    case "stop":
    case "tool-calls":
      return null;
    case "length":
      return modelFailure("length");
    case "content-filter":
      return modelFailure("content_filter");
    case undefined:
    case "interrupted":
      return modelFailure("no_finish");
    default:
      return modelFailure("unknown", {
        message: `The model provider ended the answer for a reason of its own (${finishReason === "error" ? "an error" : "not stated"}).`,
        retryable: true,
      });
  }
}

/** Error names of the AI SDK that mean an answer in a form that its provider package could not read. */
const GARBAGE_ERRORS: ReadonlySet<string> = new Set([
  "AI_NoOutputGeneratedError",
  "AI_NoContentGeneratedError",
  "AI_InvalidResponseDataError",
  "AI_JSONParseError",
  "AI_TypeValidationError",
  "AI_EmptyResponseBodyError",
  "AI_InvalidStreamPartError",
]);

const AUTH_ERRORS: ReadonlySet<string> = new Set(["AI_LoadAPIKeyError", "AI_LoadSettingError"]);

const CONTEXT_WORDS =
  /context.{0,20}(length|window|limit)|prompt is too long|too many tokens|maximum.{0,20}tokens|input is too long|token count.{0,40}exceeds/i;
const QUOTA_WORDS = /insufficient_quota|billing|credit balance|exceeded your current quota|payment required/i;
const FILTER_WORDS = /content[_ ]?(filter|policy|management)/i;

/**
 * Sorts whatever a model call threw or reported in its stream, by status code first and by the provider's machine words
 * where one status means several things. `now` is for a `Retry-After` that is a date.
 */
export function classifyModelFailure(error: unknown, now: Date): ModelFailure {
  const cause = unwrap(error);
  if (isNamed(cause, "AbortError")) return modelFailure("stopped");
  if (isNamed(cause, "TimeoutError"))
    return modelFailure("cut", { message: "The model provider did not answer in time." });
  if (isNamed(cause, "DialError")) return failureOfDial(cause);
  if (isNamed(cause, ...AUTH_ERRORS)) return modelFailure("auth");
  if (isNamed(cause, ...GARBAGE_ERRORS)) return modelFailure("garbage");

  const status = statusOf(cause);
  if (status !== null && status >= 400) return classifyStatus(status, cause, now);
  // A failure after the answer had begun: the status says success, or there is none, and the socket is what broke.
  if (APICallError.isInstance(cause) && cause.isRetryable) return modelFailure("cut");
  if (APICallError.isInstance(cause) && status !== null) return modelFailure("garbage");
  if (isNetworkError(cause)) return modelFailure("cut");
  const retryable = retryableOf(cause);
  return modelFailure("unknown", retryable === null ? {} : { retryable });
}

/** Our own connection to an address that a person named; its words name that address and nothing behind it. */
function failureOfDial(error: unknown): ModelFailure {
  const refused = property(error, "failure") === "private_address";
  return modelFailure(refused ? "config" : "cut", { message: String(property(error, "message")) });
}

function classifyStatus(status: number, error: unknown, now: Date): ModelFailure {
  const words = machineWords(error);
  const retryAfterMs = retryAfterOf(error, now);
  if (status === 402 || QUOTA_WORDS.test(words)) return modelFailure("quota");
  if (status === 429) return modelFailure("rate_limit", { retryAfterMs });
  if (status === 401 || status === 403) return modelFailure("auth");
  if ((status === 400 || status === 413 || status === 422) && CONTEXT_WORDS.test(words)) {
    return modelFailure("context_too_long");
  }
  if (status === 400 && FILTER_WORDS.test(words)) return modelFailure("content_filter");
  if (status === 529 || status === 503 || status === 502 || status === 504) {
    return modelFailure("overloaded", { retryAfterMs });
  }
  if (status === 404) {
    return modelFailure("unknown_model");
  }
  return modelFailure("unknown", {
    message: `The model provider answered with status ${status}.`,
    retryable: retryableOf(error) ?? (status >= 500 || status === 408 || status === 409),
    retryAfterMs,
  });
}

/** The last error of a retry, else the error itself. */
function unwrap(error: unknown): unknown {
  const last = property(error, "lastError");
  return last === undefined ? error : unwrap(last);
}

function statusOf(error: unknown): number | null {
  const status = property(error, "statusCode");
  return typeof status === "number" ? status : null;
}

function retryableOf(error: unknown): boolean | null {
  const retryable = property(error, "isRetryable");
  return typeof retryable === "boolean" ? retryable : null;
}

/** Used for matching only; never shown. */
function machineWords(error: unknown): string {
  const texts = ["message", "responseBody", "type", "code"].map((key) => property(error, key));
  return texts.filter((text) => typeof text === "string").join("\n");
}

/** `retry-after-ms`, or `retry-after` as seconds or as a date. */
function retryAfterOf(error: unknown, now: Date): number | undefined {
  // The gateway's own errors have the answer that they were made from as their cause.
  const headers = property(error, "responseHeaders") ?? property(property(error, "cause"), "responseHeaders");
  const header = (name: string) => {
    const value = property(headers, name);
    return typeof value === "string" && value.trim() !== "" ? value : null;
  };
  const ms = Number(header("retry-after-ms") ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return Math.round(ms);
  const after = header("retry-after");
  if (after === null) return undefined;
  const seconds = Number(after);
  if (Number.isFinite(seconds)) return seconds >= 0 ? Math.round(seconds * 1000) : undefined;
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}

const NETWORK_CODE = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET|UND_ERR_)/;

function isNetworkError(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; at !== undefined && depth < 5; at = property(at, "cause"), depth++) {
    const code = property(at, "code");
    if (typeof code === "string" && NETWORK_CODE.test(code)) return true;
    if (at instanceof TypeError && /fetch failed|terminated|network/i.test(at.message)) return true;
  }
  return false;
}

function isNamed(error: unknown, ...names: string[]): boolean {
  const name = property(error, "name");
  return typeof name === "string" && names.includes(name);
}

function property(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
