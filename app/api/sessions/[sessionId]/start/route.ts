import { defineRoute } from "@/lib/http/define-route";
import { sseResponse } from "@/lib/http/sse";
import { followStart } from "@/lib/session/follow-service";
import { inSession } from "@/lib/session/service";
import { getStart } from "@/lib/session/start-service";

export const GET = defineRoute("getStart", ({ runtime, user, params, query, request }) =>
  inSession(runtime, user.id, params.sessionId ?? "", async (session) => {
    if (query.stream !== "1") return getStart(runtime, session.id);
    return sseResponse(request, async function* (signal) {
      for await (const view of followStart(runtime, session.id, signal)) yield { data: view };
    });
  }),
);
