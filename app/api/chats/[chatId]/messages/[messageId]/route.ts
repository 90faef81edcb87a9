import { editMessage, removeMessage } from "@/lib/chat/send";
import { defineRoute } from "@/lib/http/define-route";
import { mapOk } from "@/lib/kernel/result";

export const PATCH = defineRoute("editMessage", async ({ runtime, user, params, body }) =>
  mapOk(await editMessage(runtime, user.id, params.chatId ?? "", params.messageId ?? "", body.text), (message) => ({
    message,
  })),
);

export const DELETE = defineRoute("removeMessage", ({ runtime, user, params }) =>
  removeMessage(runtime, user.id, params.chatId ?? "", params.messageId ?? ""),
);
