import { defineRoute } from "@/lib/http/define-route";
import { ok } from "@/lib/kernel/result";
import { listTransitionViews } from "@/lib/sandbox/service";
import { inSession } from "@/lib/session/service";

export const GET = defineRoute("listTransitions", ({ runtime, user, params, query }) =>
  inSession(runtime, user.id, params.sessionId ?? "", async (session) =>
    ok(
      await listTransitionViews(
        runtime.db,
        session.sandboxId,
        query.limit,
        query.cursor === undefined ? null : Number(query.cursor),
      ),
    ),
  ),
);
