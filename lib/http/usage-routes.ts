import { dailyUsageQuery, dailyUsageView, sessionUsageView } from "@/lib/usage/contract";
import { spec } from "./route-spec";

/** Routes of what models used and cost. */
export const USAGE_ROUTES = {
  sessionUsage: spec({
    method: "GET",
    path: "/api/sessions/{sessionId}/usage",
    summary: "Tokens and money of a session, by turn and by model",
    auth: "user",
    answer: sessionUsageView,
    status: 200,
  }),
  dailyUsage: spec({
    method: "GET",
    path: "/api/usage",
    summary: "Tokens and money of the last days",
    auth: "user",
    query: dailyUsageQuery,
    answer: dailyUsageView,
    status: 200,
  }),
} as const;
