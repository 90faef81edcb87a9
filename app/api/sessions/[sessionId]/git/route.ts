import { defineRoute } from "@/lib/http/define-route";
import { getGit } from "@/lib/sandbox/git-state";
import { inSession } from "@/lib/session/service";

export const GET = defineRoute("getGit", ({ runtime, user, params }) =>
  inSession(runtime, user.id, params.sessionId ?? "", (session) => getGit(runtime, session.sandboxId)),
);
