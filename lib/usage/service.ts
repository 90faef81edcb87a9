import { countSessionSteps } from "@/lib/chat/turn-store";
import type { Deps } from "@/lib/deps";
import type { AppError } from "@/lib/kernel/errors";
import { ok, type Result } from "@/lib/kernel/result";
import { totalsOfSession } from "@/lib/model/ledger-store";
import type { SessionRow } from "@/lib/session/store";
import type { DailyUsageView, SessionUsageView } from "./contract";
import { findLastStep, usageByModel, usageByTurn, usageOfDays } from "./store";

/** What a session has used, in all, by model and by turn, beside its limits. The caller has checked that it is the user's. */
export async function readSessionUsage(deps: Deps, session: SessionRow): Promise<Result<SessionUsageView, AppError>> {
  const { id, maxSteps, maxCostUsd, sessionMaxSteps, sessionMaxCostUsd } = session;
  const [total, byModel, turns, steps, lastStep] = await Promise.all([
    totalsOfSession(deps.db, id),
    usageByModel(deps.db, id),
    usageByTurn(deps.db, id),
    countSessionSteps(deps.db, id),
    findLastStep(deps.db, id),
  ]);
  const limits = { maxSteps, maxCostUsd, sessionMaxSteps, sessionMaxCostUsd };
  return ok({ total, byModel, turns, steps, limits, lastStep });
}

/** What a user has used in the last days, deleted sessions included. */
export async function readDailyUsage(
  deps: Deps,
  userId: string,
  days: number,
): Promise<Result<DailyUsageView, AppError>> {
  return ok(await usageOfDays(deps.db, userId, days));
}
