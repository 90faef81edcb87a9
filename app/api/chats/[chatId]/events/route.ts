import { getChat } from "@/lib/chat/service";
import { readAfter } from "@/lib/http/after";
import { defineRoute } from "@/lib/http/define-route";
import { sseResponse } from "@/lib/http/sse";
import { followChat } from "@/lib/session/follow-service";

export const GET = defineRoute("streamEvents", async ({ runtime, user, params, query, request }) => {
  const after = readAfter(query.after, request.headers.get("last-event-id"));
  if (!after.ok) return after;
  const chat = await getChat(runtime, user.id, params.chatId ?? "");
  if (!chat.ok) return chat;
  return sseResponse(request, async function* (signal) {
    const options = {
      chatId: chat.value.id,
      userId: user.id,
      after: after.value,
      actionsOnly: query.view === "actions",
      untilTurnEnd: query.until === "turn-end",
      signal,
    };
    for await (const event of followChat(runtime, options)) yield { id: event.seq, data: event };
  });
});
