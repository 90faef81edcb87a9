import { defineRoute } from "@/lib/http/define-route";
import { readDailyUsage } from "@/lib/usage/service";

export const GET = defineRoute("dailyUsage", ({ runtime, user, query }) =>
  readDailyUsage(runtime, user.id, query.days),
);
