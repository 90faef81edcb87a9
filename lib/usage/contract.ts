import { z } from "zod";

/** What a model was asked for. */
export const CALL_PURPOSES = ["step", "title", "commit", "summary"] as const;
export type CallPurpose = (typeof CALL_PURPOSES)[number];

/** How a call ended; `lost` is one whose process died. */
export const CALL_OUTCOMES = ["done", "failed", "stopped", "lost"] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** Sums over model calls. `costUsd` is null when no price is known; `unpriced` calls are not in it, `estimated` ones are. */
export const usageTotals = z.object({
  calls: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
  reasoningTokens: z.number(),
  costUsd: z.number().nullable(),
  unpriced: z.number(),
  estimated: z.number(),
});
export type UsageTotals = z.infer<typeof usageTotals>;

/** `GET /api/sessions/:id/usage`. */
export const sessionUsageView = z.object({
  total: usageTotals,
  byModel: z.array(usageTotals.extend({ model: z.string() })),
  /** Newest first, at most 100. */
  turns: z.array(usageTotals.extend({ turnId: z.string(), chatId: z.string(), startedAt: z.iso.datetime() })),
  limits: z.object({
    maxSteps: z.number().nullable(),
    maxCostUsd: z.number().nullable(),
    sessionMaxSteps: z.number().nullable(),
    sessionMaxCostUsd: z.number().nullable(),
  }),
  steps: z.number(),
  /** How full its model's window was after the newest step of any chat; null before there is one. */
  lastStep: z.object({ chatId: z.string(), model: z.string(), contextTokens: z.number() }).nullable(),
});
export type SessionUsageView = z.infer<typeof sessionUsageView>;

export const dailyUsageQuery = z.object({ days: z.coerce.number().int().min(1).max(366).default(30) });

/** `GET /api/usage`: days in UTC, newest first; days without a call are left out. */
export const dailyUsageView = z.object({
  total: usageTotals,
  days: z.array(usageTotals.extend({ day: z.iso.date() })),
  byModel: z.array(usageTotals.extend({ model: z.string() })),
});
export type DailyUsageView = z.infer<typeof dailyUsageView>;
