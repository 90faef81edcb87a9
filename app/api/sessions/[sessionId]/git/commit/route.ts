import { defineRoute } from "@/lib/http/define-route";
import { commitWork } from "@/lib/session/commit-service";
import { inRunningSession } from "@/lib/session/service";

export const POST = defineRoute("commit", ({ runtime, user, params, body }) =>
  inRunningSession(runtime, user.id, params.sessionId ?? "", (session) => commitWork(runtime, session, body)),
);
