import { deleteChat, getChat, patchChat } from "@/lib/chat/service";
import { defineRoute } from "@/lib/http/define-route";
import { mapOk } from "@/lib/kernel/result";

export const GET = defineRoute("getChat", async ({ runtime, user, params }) =>
  mapOk(await getChat(runtime, user.id, params.chatId ?? ""), (chat) => ({ chat })),
);

export const PATCH = defineRoute("patchChat", async ({ runtime, user, params, body }) =>
  mapOk(await patchChat(runtime, user.id, params.chatId ?? "", body), (chat) => ({ chat })),
);

export const DELETE = defineRoute("deleteChat", ({ runtime, user, params }) =>
  deleteChat(runtime, user.id, params.chatId ?? ""),
);
