import { defineRoute } from "@/lib/http/define-route";
import { recordActivity } from "@/lib/sandbox/service";
import { inRunningSession } from "@/lib/session/service";

export const POST = defineRoute("activity", ({ runtime, user, params }) =>
  inRunningSession(runtime, user.id, params.sessionId ?? "", (session) => recordActivity(runtime, session.sandboxId)),
);
