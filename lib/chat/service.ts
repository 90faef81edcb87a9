import type { Queryable } from "@/lib/db/client";
import type { Deps } from "@/lib/deps";
import { type AppError, appError } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import { err, ok, type Result } from "@/lib/kernel/result";
import { lockOwnedChat, NO_CHAT } from "./access";
import type { ChatView } from "./contract";
import {
  type ChatRow,
  deleteChat as deleteChatRow,
  findChat,
  findOwnedChat,
  insertChat,
  listChats as listChatRows,
  markRead as markReadRow,
  patchChat as patchChatRow,
} from "./store";
import { appendEvents } from "./stream-store";
import { listUnfinished, toTurnView } from "./turn-store";

export async function toChatView(tx: Queryable, chat: ChatRow): Promise<ChatView> {
  const [active] = await listUnfinished(tx, chat.id);
  return {
    id: chat.id,
    sessionId: chat.sessionId,
    title: chat.title,
    model: chat.model,
    activeTurn: active ? toTurnView(active) : null,
    unread: chat.newsSeq > chat.readSeq,
    createdAt: chat.createdAt.toISOString(),
  };
}

export async function getChat(deps: Deps, userId: string, chatId: string): Promise<Result<ChatView, AppError>> {
  const owned = await findOwnedChat(deps.db, userId, chatId);
  return owned ? ok(await toChatView(deps.db, owned.chat)) : err(NO_CHAT);
}

/** The caller has checked that the session is the user's. */
export async function listChats(deps: Deps, sessionId: string): Promise<ChatView[]> {
  const rows = await listChatRows(deps.db, sessionId);
  return Promise.all(rows.map((row) => toChatView(deps.db, row)));
}

/** Changes title or model; a title that a person chose is never replaced by a made one. */
export async function patchChat(
  deps: Deps,
  userId: string,
  chatId: string,
  patch: { title?: string | undefined; model?: string | undefined },
): Promise<Result<ChatView, AppError>> {
  if (patch.model !== undefined && !(await deps.models.find(userId, patch.model)))
    return err(unknownModel(patch.model));
  return deps.db.transaction(async (tx) => {
    const owned = await lockOwnedChat(tx, userId, chatId);
    if (!owned.ok) return owned;
    if (patch.title !== undefined) {
      // The stream first, then the chat: the order of everybody who writes both.
      await appendEvents(tx, chatId, [{ kind: "state", name: "title", source: "user", data: { title: patch.title } }]);
      await patchChatRow(tx, chatId, { title: patch.title, titleSource: "person" });
    }
    if (patch.model !== undefined) await patchChatRow(tx, chatId, { model: patch.model });
    const fresh = await findOwnedChat(tx, userId, chatId);
    return fresh ? ok(await toChatView(tx, fresh.chat)) : err(NO_CHAT);
  });
}

export function unknownModel(ref: string): AppError {
  return appError("unprocessable", `No configured provider knows the model ${ref}.`, { details: { field: "model" } });
}

/** Deletes a chat with its messages and events; the last one of a session stays. */
export async function deleteChat(deps: Deps, userId: string, chatId: string): Promise<Result<null, AppError>> {
  return deps.db.transaction(async (tx) => {
    const owned = await lockOwnedChat(tx, userId, chatId);
    if (!owned.ok) return owned;
    if ((await listChatRows(tx, owned.value.session.id)).length < 2) {
      return err(appError("conflict", "A session keeps at least one chat. Archive or delete the session instead."));
    }
    const running = (await listUnfinished(tx, chatId)).find((turn) => turn.state === "running");
    if (running) return err(appError("busy", "The agent is at work in this chat. Stop it first.", { retryable: true }));
    await deleteChatRow(tx, chatId);
    return ok(null);
  });
}

export async function markRead(deps: Deps, userId: string, chatId: string): Promise<Result<null, AppError>> {
  const owned = await findOwnedChat(deps.db, userId, chatId);
  if (!owned) return err(NO_CHAT);
  await markReadRow(deps.db, chatId);
  return ok(null);
}

/** Makes another chat in a session; the caller has checked that it is the user's and not archived. */
export async function createChat(
  deps: Deps,
  session: { readonly id: string; readonly userId: string; readonly model: string },
  body: { id?: string | undefined; title?: string | undefined; model?: string | undefined },
): Promise<Result<ChatView, AppError>> {
  const model = body.model ?? session.model;
  if (!(await deps.models.find(session.userId, model))) return err(unknownModel(model));
  return deps.db.transaction(async (tx) => {
    const same = body.id ? await findChat(tx, body.id) : null;
    if (same?.sessionId === session.id) return ok(await toChatView(tx, same));
    if (same) return err(appError("conflict", "Another chat has this id already.", { details: { field: "id" } }));
    const chat = await insertChat(tx, {
      id: body.id ?? newId(),
      sessionId: session.id,
      title: body.title ?? "New chat",
      titleSource: body.title ? "person" : "default",
      model,
    });
    return ok(await toChatView(tx, chat));
  });
}
