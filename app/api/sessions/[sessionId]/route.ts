import { defineRoute } from "@/lib/http/define-route";
import { mapOk } from "@/lib/kernel/result";
import { deleteSession, getSession, patchSessionDetails } from "@/lib/session/service";

export const GET = defineRoute("getSession", async ({ runtime, user, params }) =>
  mapOk(await getSession(runtime, user.id, params.sessionId ?? ""), (session) => ({ session })),
);

export const PATCH = defineRoute("patchSession", async ({ runtime, user, params, body }) =>
  mapOk(await patchSessionDetails(runtime, user.id, params.sessionId ?? "", body), (session) => ({ session })),
);

export const DELETE = defineRoute("deleteSession", ({ runtime, user, params }) =>
  deleteSession(runtime, user.id, params.sessionId ?? ""),
);
