import { defineRoute } from "@/lib/http/define-route";
import { readContent } from "@/lib/sandbox/files";
import { inSession } from "@/lib/session/service";

export const GET = defineRoute("readFile", ({ runtime, user, params, query }) =>
  inSession(runtime, user.id, params.sessionId ?? "", (session) => readContent(runtime, session.sandboxId, query.path)),
);
