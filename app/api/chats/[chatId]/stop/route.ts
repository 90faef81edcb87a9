import { stopTurn } from "@/lib/chat/stop";
import { defineRoute } from "@/lib/http/define-route";

export const POST = defineRoute("stop", ({ runtime, user, params }) => stopTurn(runtime, user.id, params.chatId ?? ""));
