import { defineRoute } from "@/lib/http/define-route";
import { spend } from "@/lib/http/rate-limit";
import { jsonResponse } from "@/lib/http/respond";
import { createSession } from "@/lib/session/create";
import { listSessions } from "@/lib/session/service";

export const GET = defineRoute("listSessions", ({ runtime, user, query }) => listSessions(runtime, user.id, query));

export const POST = defineRoute("createSession", async ({ runtime, user, body, requestId }) => {
  const created = await createSession(runtime, user, body, () =>
    spend(runtime.pool, "creations", runtime.env.createLimit, user.id),
  );
  return created.ok
    ? jsonResponse(created.value.view, created.value.made ? 201 : 200, { "X-Request-Id": requestId })
    : created;
});
