import { defineRoute } from "@/lib/http/define-route";
import { inRunningSession } from "@/lib/session/service";
import { cancelStart } from "@/lib/session/start-service";

export const POST = defineRoute("cancelStart", ({ runtime, user, params }) =>
  inRunningSession(runtime, user.id, params.sessionId ?? "", (session) => cancelStart(runtime, session.id)),
);
