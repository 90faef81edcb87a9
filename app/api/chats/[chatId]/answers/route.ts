import { answerToolCall } from "@/lib/chat/send";
import { defineRoute } from "@/lib/http/define-route";

export const POST = defineRoute("answer", ({ runtime, user, params, body }) =>
  answerToolCall(runtime, user.id, params.chatId ?? "", body.toolCallId, body.answer),
);
