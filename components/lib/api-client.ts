import { reportReach } from "@/components/lib/connection";
import { type AppError, STATUS_OF } from "@/lib/kernel/errors";
import type { Result } from "@/lib/kernel/result";

/** What a call answers with when it fails: the error of the API plus the id to quote to whoever runs the server. */
export interface ApiFailure extends AppError {
  readonly requestId?: string;
}

/** Thrown by `fetchJson` only, because SWR takes failures as exceptions. */
export class ApiError extends Error {
  constructor(readonly failure: ApiFailure) {
    super(failure.message);
    this.name = "ApiError";
  }
}

/** A 429 that asks for a longer wait than this is shown to the person instead of waited for. */
const LONGEST_WAIT_MS = 5_000;
const TRIES_WHEN_LIMITED = 3;
/** The page reloads to sign in at most this often, so that a cookie problem cannot make it reload for ever. */
const RELOAD_PAUSE_MS = 15_000;

export interface CallOptions {
  readonly method?: "GET" | "POST" | "PATCH" | "DELETE";
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as multipart instead of `body`. */
  readonly form?: FormData;
  readonly signal?: AbortSignal;
}

/**
 * Calls the API of our own origin and gives the answer or the failure, never an exception (except an abort).
 * 401 reloads the page, which then shows the sign-in; 429 waits for `Retry-After` seconds when that is short.
 */
export async function callApi<T>(path: string, options: CallOptions = {}): Promise<Result<T, ApiFailure>> {
  for (let attempt = 1; ; attempt++) {
    let response: Response;
    try {
      response = await send(path, options);
    } catch (error) {
      if (options.signal?.aborted) throw error;
      reportReach(false);
      return failed({ code: "unavailable", message: "Dormouse cannot be reached just now.", retryable: true });
    }
    reportReach(true);
    if (response.ok) return { ok: true, value: (await readJson(response)) as T };
    const waitMs = retryAfterMs(response);
    if (response.status === 429 && attempt < TRIES_WHEN_LIMITED && waitMs <= LONGEST_WAIT_MS) {
      await pause(waitMs, options.signal);
      continue;
    }
    if (response.status === 401) reloadToSignIn();
    return failed(failureOf(response.status, await readJson(response), waitMs));
  }
}

/** The fetcher of SWR: the answer of a GET, or an `ApiError`. */
export async function fetchJson<T>(path: string): Promise<T> {
  const answer = await callApi<T>(path);
  if (!answer.ok) throw new ApiError(answer.error);
  return answer.value;
}

/** The failure inside whatever was thrown, for showing it. */
export function toFailure(thrown: unknown): ApiFailure {
  if (thrown instanceof ApiError) return thrown.failure;
  return { code: "internal", message: "Something went wrong in this page.", retryable: true };
}

/** Seconds or a date in `Retry-After`, as milliseconds from `nowMs`; one second when it is absent or unreadable. */
export function parseRetryAfter(header: string | null, nowMs: number): number {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? 1_000 : Math.max(0, at - nowMs);
}

/** Reads the error body of api.md ("Errors"); an answer that is not ours (a proxy's page) becomes plain words. */
export function failureOf(status: number, body: unknown, waitMs: number): ApiFailure {
  const error = isRecord(body) && isRecord(body.error) ? body.error : {};
  const code = typeof error.code === "string" && error.code in STATUS_OF ? (error.code as AppError["code"]) : null;
  const details = isRecord(error.details) ? error.details : undefined;
  const limited = status === 429 ? { retryAfterSeconds: Math.ceil(waitMs / 1_000) } : undefined;
  return {
    code: code ?? codeOfStatus(status),
    message: typeof error.message === "string" ? error.message : `The server answered with status ${status}.`,
    retryable: typeof error.retryable === "boolean" ? error.retryable : status === 429 || status >= 500,
    ...(typeof error.requestId === "string" ? { requestId: error.requestId } : {}),
    ...(details || limited ? { details: { ...details, ...limited } } : {}),
  };
}

function codeOfStatus(status: number): AppError["code"] {
  const match = (Object.entries(STATUS_OF) as [AppError["code"], number][]).find(([, value]) => value === status);
  return match?.[0] ?? (status >= 500 ? "unavailable" : "malformed");
}

function send(path: string, { method = "GET", body, form, signal }: CallOptions): Promise<Response> {
  return fetch(path, {
    method,
    headers: { accept: "application/json", ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(form ? { body: form } : {}),
    ...(signal ? { signal } : {}),
    credentials: "same-origin",
    cache: "no-store",
  });
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

function retryAfterMs(response: Response): number {
  return parseRetryAfter(response.headers.get("retry-after"), Date.now());
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** Loads the page again so that the server can show the sign-in; the draft is in local storage and survives. */
export function reloadToSignIn(): void {
  const key = "dormouse:signed-out-at";
  const last = Number(sessionStorage.getItem(key) ?? 0);
  if (Date.now() - last < RELOAD_PAUSE_MS) return;
  sessionStorage.setItem(key, String(Date.now()));
  location.reload();
}

function failed(error: ApiFailure): Result<never, ApiFailure> {
  return { ok: false, error };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
