import { createHash } from "node:crypto";
import type { Queryable, Tx } from "@/lib/db/client";
import type { Deps } from "@/lib/deps";
import { crashPoint } from "@/lib/kernel/crash-points";
import { type AppError, appError, notFound } from "@/lib/kernel/errors";
import { newId } from "@/lib/kernel/ids";
import { err, ok, type Result } from "@/lib/kernel/result";
import { balanceSlots } from "@/lib/sandbox/slots";
import { requestWake } from "@/lib/sandbox/wake";
import { lockOwnedChat, NO_CHAT } from "./access";
import { answerQuestion } from "./answer";
import type { ChatMessage, SendMessageBody, SendMessageView, TurnView, UserMessageView } from "./contract";
import { imageTypeOf } from "./images";
import { continueTurn } from "./limits";
import { titleOf } from "./naming";
import {
  type ChatRow,
  findMessage,
  findOwnedChat,
  insertMessage,
  listTurnMessages,
  type MessageRow,
  patchChat,
  patchMessage,
  touchSession,
} from "./store";
import { appendEvents } from "./stream-store";
import { nameSoon } from "./title-service";
import { DEFAULT_MAX_STEPS, type TurnLimits } from "./turn";
import {
  findAnsweredTurn,
  findTurn,
  insertTurn,
  listSteps,
  listUnfinished,
  lockTurn,
  moveTurn,
  queuePosition,
  type TurnRow,
  toTurnView,
} from "./turn-store";
import { explainWaiting } from "./waiting";

/** How many messages may wait in one chat. */
const MAX_QUEUED = 100;

/**
 * Stores a person's message and makes sure that a turn will answer it, in one transaction (api.md). The same id again
 * gives the same answer. If the running turn waits for a person, the message is the answer and joins that turn.
 */
export async function sendMessage(
  deps: Deps,
  userId: string,
  chatId: string,
  body: SendMessageBody,
  limits: (tx: Queryable, sessionId: string) => Promise<TurnLimits>,
): Promise<Result<SendMessageView, AppError>> {
  const files = (body.files ?? []).map((file) => (typeof file === "string" ? file : file.path));
  if (body.text.trim() === "" && files.length === 0)
    return err(appError("malformed", "A message needs text or files.", { details: { field: "text" } }));
  const blind = await refuseImages(deps, userId, chatId, files);
  if (blind) return err(blind);
  const bodyHash = createHash("sha256")
    .update(JSON.stringify([body.text, files]))
    .digest("hex");

  const unnamed: { chat: ChatRow | null } = { chat: null };
  const sent = await deps.db.transaction(async (tx): Promise<Result<SendMessageView, AppError>> => {
    const owned = await lockOwnedChat(tx, userId, chatId);
    if (!owned.ok) return owned;
    const { chat, session, sandbox } = owned.value;
    const before = await findMessage(tx, chatId, body.id);
    if (before) return repeatedMessage(tx, before, bodyHash);
    if (session.status === "archived")
      return err(appError("archived", "This session is archived. Unarchive it to go on."));

    const unfinished = await listUnfinished(tx, chatId);
    const waiting = unfinished.find((turn) => turn.state === "waiting_for_user" && turn.waiting !== null);
    const queued = unfinished.find((turn) => turn.state === "queued");
    if (queued && (await listTurnMessages(tx, queued.id, "queued")).length >= MAX_QUEUED) {
      return err(
        appError("rate_limited", `At most ${MAX_QUEUED} messages may wait in a chat.`, {
          details: { retryAfterSeconds: 5 },
        }),
      );
    }
    const turn = waiting ?? queued ?? (await insertTurn(tx, newTurn(chat, session, await limits(tx, session.id))));
    const parts: ChatMessage["parts"] = [{ type: "text", text: body.text }];
    const question = waiting?.waiting?.kind === "question" ? waiting.waiting.toolCallId : undefined;
    const message = await insertMessage(tx, {
      chatId,
      id: body.id,
      role: "user",
      turnId: turn.id,
      status: waiting ? "delivered" : "queued",
      parts,
      metadata: {
        ...(files.length > 0 ? { files: files } : {}),
        ...(question ? { answers: question } : {}),
        ...(waiting && !question ? { afterStep: (await listSteps(tx, [waiting.id])).length } : {}),
      },
      bodyHash,
    });
    await announceMessage(tx, message, body.text);
    if (turn !== waiting && turn !== queued) {
      await appendEvents(tx, chatId, [
        { kind: "state", name: "turn", source: "system", turnId: turn.id, data: { turn: toTurnView(turn) } },
      ]);
    }
    if (waiting && question) await answerQuestion(tx, waiting, question, body.text);
    else if (waiting) await continueTurn(tx, waiting, await limits(tx, session.id));

    await requestWake(tx, sandbox, "message");
    await explainWaiting(tx, sandbox.id);
    await touchSession(tx, session.id);
    if (await nameAfterFirst(tx, chat, body.text)) unnamed.chat = chat;
    crashPoint("message.before-commit");
    const fresh = (await findTurn(tx, turn.id)) ?? turn;
    return ok(await toSendView(tx, message, fresh));
  });
  crashPoint("message.after-commit");
  if (sent.ok) await rebalance(deps, userId);
  if (unnamed.chat) nameSoon(deps, unnamed.chat);
  return sent;
}

/** An image to a model that cannot see is refused before anything is stored or paid; the sender still has the message. */
async function refuseImages(
  deps: Deps,
  userId: string,
  chatId: string,
  files: readonly string[],
): Promise<AppError | null> {
  const image = files.find((file) => imageTypeOf(file) !== null);
  const owned = image === undefined ? null : await findOwnedChat(deps.db, userId, chatId);
  const found = owned ? await deps.models.find(userId, owned.chat.model) : null;
  if (!found || found.info.acceptsImages) return null;
  return appError(
    "unprocessable",
    `${found.info.label} cannot see images. Choose another model, or send the message without ${image}.`,
    { details: { field: "files", model: found.info.ref } },
  );
}

/** Shares out places after a change; the reconciler does it again should this process die here. */
export async function rebalance(deps: Deps, userId: string): Promise<void> {
  await deps.db.transaction((tx) => balanceSlots(tx, userId, deps.maxActive));
}

async function repeatedMessage(
  tx: Tx,
  before: MessageRow,
  bodyHash: string,
): Promise<Result<SendMessageView, AppError>> {
  if (before.bodyHash !== bodyHash || before.role !== "user") {
    return err(appError("conflict", "Another message has this id already.", { details: { field: "id" } }));
  }
  const turn = await findTurn(tx, before.turnId);
  return turn ? ok(await toSendView(tx, before, turn)) : err(NO_CHAT);
}

export function newTurn(
  chat: Pick<ChatRow, "id">,
  session: { readonly id: string; readonly sandboxId: string },
  limits: TurnLimits,
) {
  return {
    id: newId(),
    chatId: chat.id,
    sessionId: session.id,
    sandboxId: session.sandboxId,
    state: "queued" as const,
    stepAllowance: limits.maxSteps ?? DEFAULT_MAX_STEPS,
    costAllowanceUsd: limits.maxCostUsd,
  };
}

export async function announceMessage(tx: Tx, message: MessageRow, text: string): Promise<void> {
  await appendEvents(tx, message.chatId, [
    {
      kind: "action",
      name: "message",
      source: "user",
      turnId: message.turnId,
      data: {
        id: message.id,
        text,
        status: message.status,
        message: text.slice(0, 200),
        args: { text },
        ...(message.metadata.files ? { files: message.metadata.files } : {}),
        ...(message.metadata.answers ? { answers: message.metadata.answers } : {}),
      },
    },
  ]);
}

/** The first line of the first message is the title until a model or a person has a better one. */
async function nameAfterFirst(tx: Tx, chat: ChatRow, text: string): Promise<boolean> {
  if (chat.titleSource !== "default") return false;
  const title = titleOf(text);
  if (!title) return false;
  await patchChat(tx, chat.id, { title, titleSource: "auto" });
  await appendEvents(tx, chat.id, [{ kind: "state", name: "title", source: "system", data: { title } }]);
  return true;
}

export function toUserMessageView(message: MessageRow): UserMessageView {
  return {
    id: message.id,
    role: "user",
    parts: message.parts,
    metadata: {
      ...message.metadata,
      status: message.status === "queued" ? "queued" : "delivered",
      turnId: message.turnId,
      createdAt: message.createdAt.toISOString(),
    },
  };
}

async function toSendView(tx: Tx, message: MessageRow, turn: TurnRow): Promise<SendMessageView> {
  return { message: toUserMessageView(message), turn: toTurnView(turn), queuePosition: await queuePosition(tx, turn) };
}

/** Replaces the text of a message that is still queued. */
export async function editMessage(
  deps: Deps,
  userId: string,
  chatId: string,
  messageId: string,
  text: string,
): Promise<Result<UserMessageView, AppError>> {
  return deps.db.transaction(async (tx) => {
    const found = await lockQueued(tx, userId, chatId, messageId);
    if (!found.ok) return found;
    await patchMessage(tx, chatId, messageId, { parts: [{ type: "text", text }] });
    await appendEvents(tx, chatId, [messageEvent(found.value, "edited", text)]);
    const fresh = await findMessage(tx, chatId, messageId);
    return fresh ? ok(toUserMessageView(fresh)) : err(NO_CHAT);
  });
}

/** Takes back a message that is still queued; a turn without messages is not made. */
export async function removeMessage(
  deps: Deps,
  userId: string,
  chatId: string,
  messageId: string,
): Promise<Result<null, AppError>> {
  return deps.db.transaction(async (tx) => {
    const found = await lockQueued(tx, userId, chatId, messageId);
    if (!found.ok) return found;
    await patchMessage(tx, chatId, messageId, { status: "removed" });
    await appendEvents(tx, chatId, [messageEvent(found.value, "removed", "")]);
    const turn = await lockTurn(tx, found.value.turnId);
    if (turn?.state === "queued" && (await listTurnMessages(tx, turn.id, "queued")).length === 0) {
      await moveTurn(tx, turn, "stop", { reason: "Its message was taken back." });
    }
    return ok(null);
  });
}

function messageEvent(message: MessageRow, status: "edited" | "removed", text: string) {
  return {
    kind: "action" as const,
    name: "message",
    source: "user" as const,
    turnId: message.turnId,
    data: {
      id: message.id,
      text,
      status,
      message: status === "edited" ? text.slice(0, 200) : "Message taken back",
      args: { text },
    },
  };
}

async function lockQueued(
  tx: Tx,
  userId: string,
  chatId: string,
  messageId: string,
): Promise<Result<MessageRow, AppError>> {
  const owned = await lockOwnedChat(tx, userId, chatId);
  if (!owned.ok) return owned;
  const message = await findMessage(tx, chatId, messageId);
  if (!message || message.status === "removed") return err(notFound("This message"));
  if (message.status !== "queued" || message.role !== "user")
    return err(appError("conflict", "This message has been delivered already."));
  return ok(message);
}

/** Answers a question of the agent by its tool call; the same answer again is the same success. */
export async function answerToolCall(
  deps: Deps,
  userId: string,
  chatId: string,
  toolCallId: string,
  answer: string,
): Promise<Result<{ turn: TurnView }, AppError>> {
  const answered = await deps.db.transaction(async (tx): Promise<Result<{ turn: TurnView }, AppError>> => {
    const owned = await lockOwnedChat(tx, userId, chatId);
    if (!owned.ok) return owned;
    if (owned.value.session.status === "archived")
      return err(appError("archived", "This session is archived. Unarchive it to go on."));
    const waiting = (await listUnfinished(tx, chatId)).find((turn) => turn.waiting?.toolCallId === toolCallId);
    if (!waiting) return repeatedAnswer(tx, chatId, toolCallId, answer);
    await answerQuestion(tx, waiting, toolCallId, answer);
    await requestWake(tx, owned.value.sandbox, "message");
    await touchSession(tx, owned.value.session.id);
    return ok({ turn: toTurnView((await findTurn(tx, waiting.id)) ?? waiting) });
  });
  if (answered.ok) await rebalance(deps, userId);
  return answered;
}

async function repeatedAnswer(
  tx: Tx,
  chatId: string,
  toolCallId: string,
  answer: string,
): Promise<Result<{ turn: TurnView }, AppError>> {
  const turn = await findAnsweredTurn(tx, chatId, toolCallId, answer);
  return turn
    ? ok({ turn: toTurnView(turn) })
    : err(appError("conflict", "No question with this id waits for an answer."));
}

export function textOf(message: Pick<MessageRow, "parts">): string {
  return message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}
