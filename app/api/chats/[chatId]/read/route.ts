import { markRead } from "@/lib/chat/service";
import { defineRoute } from "@/lib/http/define-route";

export const POST = defineRoute("readChat", ({ runtime, user, params }) =>
  markRead(runtime, user.id, params.chatId ?? ""),
);
