import { listMessages } from "@/lib/chat/read";
import { sendMessage } from "@/lib/chat/send";
import { defineRoute } from "@/lib/http/define-route";
import { limitsOf } from "@/lib/session/service";

export const GET = defineRoute("listMessages", ({ runtime, user, params, query }) =>
  listMessages(runtime, user.id, params.chatId ?? "", query),
);

export const POST = defineRoute("sendMessage", ({ runtime, user, params, body }) =>
  sendMessage(runtime, user.id, params.chatId ?? "", body, limitsOf),
);
