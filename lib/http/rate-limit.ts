import type { Pool } from "pg";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import type { Rate } from "@/lib/env";
import { type AppError, appError } from "@/lib/kernel/errors";
import { processGlobal } from "@/lib/kernel/process-global";
import { err, ok, type Result } from "@/lib/kernel/result";

const limiters = processGlobal("limiters", () => new Map<string, RateLimiterPostgres>());

function limiter(pool: Pool, name: string, rate: Rate): RateLimiterPostgres {
  const key = `${name}:${rate.count}/${rate.seconds}`;
  const known = limiters.get(key);
  if (known) return known;
  const made = new RateLimiterPostgres({
    storeClient: pool,
    storeType: "pool",
    tableName: "rate_limits",
    tableCreated: true,
    keyPrefix: name,
    points: rate.count,
    duration: rate.seconds,
  });
  limiters.set(key, made);
  return made;
}

/** Spends one of a user's `rate`, shared by all processes; 429 with the seconds to wait when there is none left. */
export async function spend(
  pool: Pool,
  name: string,
  rate: Rate | null,
  userId: string,
): Promise<Result<null, AppError>> {
  if (!rate) return ok(null);
  try {
    await limiter(pool, name, rate).consume(userId);
    return ok(null);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const retryAfterSeconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    return err(
      appError("rate_limited", `Too many requests; try again in ${retryAfterSeconds} s.`, {
        details: { retryAfterSeconds },
      }),
    );
  }
}
