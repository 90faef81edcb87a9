import { defineRoute } from "@/lib/http/define-route";
import { requestResume } from "@/lib/sandbox/service";
import { inRunningSession } from "@/lib/session/service";

export const POST = defineRoute("resume", ({ runtime, user, params }) =>
  inRunningSession(runtime, user.id, params.sessionId ?? "", (session) =>
    requestResume(runtime, session.sandboxId, user.id),
  ),
);
