import { defineRoute } from "@/lib/http/define-route";
import { getDiff } from "@/lib/sandbox/files";
import { inSession } from "@/lib/session/service";

export const GET = defineRoute("getDiff", ({ runtime, user, params, query }) =>
  inSession(runtime, user.id, params.sessionId ?? "", (session) => getDiff(runtime, session.sandboxId, query.scope)),
);
