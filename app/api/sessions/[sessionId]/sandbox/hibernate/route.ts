import { defineRoute } from "@/lib/http/define-route";
import { hibernateSession, inRunningSession } from "@/lib/session/service";

export const POST = defineRoute("hibernate", ({ runtime, user, params, body }) =>
  inRunningSession(runtime, user.id, params.sessionId ?? "", (session) =>
    hibernateSession(runtime, session, body.force ?? false),
  ),
);
