import { type AppError, appError } from "@/lib/kernel/errors";
import { err, ok, type Result } from "@/lib/kernel/result";

const INTEGER = /^[+-]?\d{1,15}$/;

/**
 * Where a stream begins (api.md): `Last-Event-ID` wins over `after`; absent or negative is the beginning; an `after` that is no
 * integer is malformed, an unreadable header is the beginning.
 */
export function readAfter(after: string | undefined, lastEventId: string | null): Result<number, AppError> {
  if (lastEventId !== null) return ok(INTEGER.test(lastEventId) ? Math.max(0, Number(lastEventId)) : 0);
  if (after === undefined) return ok(0);
  if (!INTEGER.test(after))
    return err(appError("malformed", "after must be an integer.", { details: { field: "after" } }));
  return ok(Math.max(0, Number(after)));
}
