import { defineRoute } from "@/lib/http/define-route";
import { inSession } from "@/lib/session/service";
import { readSessionUsage } from "@/lib/usage/service";

export const GET = defineRoute("sessionUsage", ({ runtime, user, params }) =>
  inSession(runtime, user.id, params.sessionId ?? "", (session) => readSessionUsage(runtime, session)),
);
