import { defineRoute } from "@/lib/http/define-route";
import { getSandboxView } from "@/lib/sandbox/service";
import { inSession } from "@/lib/session/service";

export const GET = defineRoute("getSandbox", ({ runtime, user, params }) =>
  inSession(runtime, user.id, params.sessionId ?? "", (session) => getSandboxView(runtime, session.sandboxId)),
);
