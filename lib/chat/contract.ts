import type { UIMessage, UIMessageChunk } from "ai";
import { z } from "zod";

/** States of a turn (design.md, section 5). */
export const TURN_STATES = [
  "queued",
  "running",
  "waiting_for_user",
  "completed",
  "failed",
  "stopped",
  "interrupted",
] as const;
export const turnState = z.enum(TURN_STATES);
export type TurnState = z.infer<typeof turnState>;

/** Text of a message or prompt: 200,000 characters at most, not blank. */
export const messageText = z
  .string()
  .max(200_000)
  .refine((text) => text.trim().length > 0, "must not be empty");

export const turnView = z.object({
  id: z.string(),
  state: turnState,
  /** Why a queued turn waits, or why it ended or pauses, in words. */
  reason: z.string().nullable(),
  /** When work on it began and ended; absent in events that were stored before there were these fields. */
  startedAt: z.iso.datetime().nullable().optional(),
  endedAt: z.iso.datetime().nullable().optional(),
  /** What a turn that is `waiting_for_user` asks for. */
  waitingFor: z.enum(["question", "steps", "money", "session_steps", "session_money", "stuck"]).nullable().optional(),
});
export type TurnView = z.infer<typeof turnView>;

export const chatView = z.object({
  id: z.string(),
  sessionId: z.string(),
  title: z.string(),
  model: z.string(),
  activeTurn: turnView.nullable(),
  unread: z.boolean(),
  createdAt: z.iso.datetime(),
});
export type ChatView = z.infer<typeof chatView>;

export const createChatBody = z.strictObject({
  id: z.uuid().optional(),
  title: z.string().trim().min(1).max(200).optional(),
  model: z.string().min(1).max(200).optional(),
});
export const patchChatBody = z.strictObject({
  title: z.string().trim().min(1).max(200).optional(),
  model: z.string().min(1).max(200).optional(),
});

/** A message id is chosen by the client and makes sending idempotent. */
export const messageId = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[A-Za-z0-9._:-]+$/, "letters, digits and . _ : - only");

export const sendMessageBody = z.strictObject({
  id: messageId,
  text: z.string().max(200_000),
  /** Names of files that were uploaded to the session before. */
  files: z
    .array(z.union([z.string().min(1).max(1000), z.strictObject({ path: z.string().min(1).max(1000) })]))
    .max(20)
    .optional(),
});
export type SendMessageBody = z.infer<typeof sendMessageBody>;

export const editMessageBody = z.strictObject({ text: messageText });
export const answerBody = z.strictObject({ toolCallId: z.string().min(1).max(200), answer: messageText });

export const messageStatus = z.enum(["queued", "delivered"]);

/** What `metadata` of a `UIMessage` holds. */
export interface MessageMetadata {
  readonly status?: "queued" | "delivered";
  readonly turnId?: string;
  readonly createdAt?: string;
  readonly files?: readonly string[];
  /** Set on a message that answered a question of the agent. */
  readonly answers?: string;
  /** Set on a message that let a paused turn go on: how many steps the answer had by then. */
  readonly afterStep?: number;
  /** Of an answer: how its turn stands, with the reason if it failed, was stopped or waits. */
  readonly turn?: TurnView;
}
export type ChatMessage = UIMessage<MessageMetadata>;

export const userMessageView = z.object({
  id: z.string(),
  role: z.literal("user"),
  parts: z.array(z.looseObject({ type: z.string() })),
  metadata: z.looseObject({ status: messageStatus, turnId: z.string(), createdAt: z.iso.datetime() }),
});
export type UserMessageView = z.infer<typeof userMessageView>;

export const sendMessageView = z.object({
  message: userMessageView,
  turn: turnView,
  queuePosition: z.number(),
});
export type SendMessageView = z.infer<typeof sendMessageView>;

/** `GET /api/chats/:id/messages`. */
export interface MessageListView {
  readonly messages: ChatMessage[];
  /** Words for the person that belong between these messages, oldest first. */
  readonly notices: ChatEvent[];
  /** Pass as `before` to get older ones; null at the beginning. */
  readonly cursor: string | null;
  /** The last event that the answer contains; pass it as `after`. */
  readonly eventSeq: number;
}

export const listMessagesQuery = z.object({
  before: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

export const EVENT_KINDS = ["action", "observation", "state", "notice", "delta"] as const;
export type EventKind = (typeof EVENT_KINDS)[number];
export type EventSource = "user" | "agent" | "system";

/** One entry of the stream (api.md, "Events"). Fields of a kind lie at top level. */
export interface ChatEvent {
  readonly seq?: number;
  readonly at: string;
  readonly turnId?: string;
  readonly attempt?: number;
  readonly kind: EventKind | "heartbeat";
  readonly source: EventSource;
  readonly name: string;
  /** One readable line. */
  readonly message?: string;
  /** seq of the action that an observation belongs to. */
  readonly cause?: number;
  readonly [field: string]: unknown;
}

export interface DeltaEvent extends ChatEvent {
  readonly kind: "delta";
  readonly name: "chunk";
  readonly chunk: UIMessageChunk;
}
