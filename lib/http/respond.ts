import { type AppError, STATUS_OF } from "@/lib/kernel/errors";

/** What every answer of the API carries: nothing of it is ever kept by a cache (api.md). */
export const API_HEADERS = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
} as const;

export function jsonResponse(body: unknown, status: number, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { ...API_HEADERS, ...headers } });
}

export function emptyResponse(status: number, headers: Record<string, string> = {}): Response {
  return status === 204
    ? new Response(null, { status, headers: { ...API_HEADERS, ...headers } })
    : jsonResponse({}, status, headers);
}

/** The one shape of an error (api.md, "Errors"). */
export function errorResponse(error: AppError, requestId: string): Response {
  const retryAfter = error.details?.retryAfterSeconds;
  return jsonResponse(
    {
      error: {
        code: error.code,
        message: error.message,
        retryable: error.retryable,
        requestId,
        ...(error.details ? { details: error.details } : {}),
      },
    },
    STATUS_OF[error.code],
    {
      "X-Request-Id": requestId,
      ...(typeof retryAfter === "number" ? { "Retry-After": String(Math.max(1, Math.ceil(retryAfter))) } : {}),
      ...(error.code === "unauthorized" ? { "WWW-Authenticate": "Bearer" } : {}),
    },
  );
}
