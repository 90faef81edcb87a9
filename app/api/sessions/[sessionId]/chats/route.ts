import { createChat, listChats } from "@/lib/chat/service";
import { defineRoute } from "@/lib/http/define-route";
import { mapOk, ok } from "@/lib/kernel/result";
import { inRunningSession, inSession } from "@/lib/session/service";

export const GET = defineRoute("listChats", ({ runtime, user, params }) =>
  inSession(runtime, user.id, params.sessionId ?? "", async (session) =>
    ok({ chats: await listChats(runtime, session.id) }),
  ),
);

export const POST = defineRoute("createChat", ({ runtime, user, params, body }) =>
  inRunningSession(runtime, user.id, params.sessionId ?? "", async (session) =>
    mapOk(await createChat(runtime, session, body), (chat) => ({ chat })),
  ),
);
