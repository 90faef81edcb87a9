import { defineRoute } from "@/lib/http/define-route";
import { inRunningSession } from "@/lib/session/service";
import { retryStart } from "@/lib/session/start-service";

export const POST = defineRoute("retryStart", ({ runtime, user, params }) =>
  inRunningSession(runtime, user.id, params.sessionId ?? "", (session) => retryStart(runtime, user.id, session.id)),
);
