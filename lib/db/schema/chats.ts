import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { Todo } from "@/lib/agent/tool";
import type { ChatMessage, EventKind, EventSource, MessageMetadata, TurnState } from "@/lib/chat/contract";
import type { StepUsage } from "@/lib/model/contract";
import { executionColumns } from "./execution";
import { sessions } from "./sessions";

export const chats = pgTable(
  "chats",
  {
    id: uuid("id").primaryKey(),
    sessionId: uuid("session_id")
      .notNull()
      .references(() => sessions.id, { onDelete: "cascade" }),
    title: text("title").notNull(),
    titleSource: text("title_source").$type<"default" | "auto" | "model" | "person">().notNull().default("default"),
    model: text("model").notNull(),
    todos: jsonb("todos").$type<Todo[]>().notNull().default([]),
    readSeq: bigint("read_seq", { mode: "number" }).notNull().default(0),
    /** seq of the newest event that a person would want to see: an answer, a question, a notice. */
    newsSeq: bigint("news_seq", { mode: "number" }).notNull().default(0),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [index("chats_session").on(t.sessionId, t.createdAt)],
);

export const chatStreams = pgTable("chat_streams", {
  chatId: uuid("chat_id")
    .primaryKey()
    .references(() => chats.id, { onDelete: "cascade" }),
  lastSeq: bigint("last_seq", { mode: "number" }).notNull().default(0),
});

export const chatEvents = pgTable(
  "chat_events",
  {
    chatId: uuid("chat_id")
      .notNull()
      .references(() => chats.id, { onDelete: "cascade" }),
    seq: bigint("seq", { mode: "number" }).notNull(),
    turnId: uuid("turn_id"),
    attempt: integer("attempt"),
    kind: text("kind").$type<EventKind>().notNull(),
    name: text("name").notNull(),
    source: text("source").$type<EventSource>().notNull(),
    data: jsonb("data").$type<Record<string, unknown>>().notNull(),
    at: timestamp("at", { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.chatId, t.seq] }),
    index("chat_events_notices").on(t.chatId, t.at).where(sql`kind = 'notice'`),
    index("chat_events_turn").on(t.turnId, t.seq),
  ],
);

export interface Waiting {
  readonly kind: "question" | "steps" | "money" | "session_steps" | "session_money" | "stuck";
  readonly toolCallId?: string;
}

/** What stuck detection has done in a turn. */
export interface StuckState {
  /** Steps before this one do not count: a person spoke after them. */
  readonly fromStep: number;
  /** The step before which the agent was nudged, with what it was told. */
  readonly nudge: { readonly beforeStep: number; readonly words: string } | null;
}

export const turns = pgTable(
  "turns",
  {
    id: uuid("id").primaryKey(),
    chatId: uuid("chat_id")
      .notNull()
      .references(() => chats.id, { onDelete: "cascade" }),
    sessionId: uuid("session_id").notNull(),
    sandboxId: uuid("sandbox_id").notNull(),
    state: text("state").$type<TurnState>().notNull(),
    version: integer("version").notNull().default(1),
    reason: text("reason"),
    waiting: jsonb("waiting").$type<Waiting>(),
    stopRequested: boolean("stop_requested").notNull().default(false),
    /** Failures of the running model step, for backoff. */
    failures: integer("failures").notNull().default(0),
    retryAt: timestamp("retry_at", { withTimezone: true }),
    /** Steps that may be made before the turn asks; raised when a person says go on. */
    stepAllowance: integer("step_allowance").notNull(),
    costAllowanceUsd: doublePrecision("cost_allowance_usd"),
    /** Of all its model calls, failed ones too. */
    costUsd: doublePrecision("cost_usd"),
    stuck: jsonb("stuck").$type<StuckState>().notNull().default({ fromStep: 0, nudge: null }),
    createdAt: timestamp("created_at", { withTimezone: true, precision: 6 }).notNull().defaultNow(),
    startedAt: timestamp("started_at", { withTimezone: true }),
    endedAt: timestamp("ended_at", { withTimezone: true }),
    ...executionColumns(),
  },
  (t) => [
    uniqueIndex("turns_one_queued").on(t.chatId).where(sql`state = 'queued'`),
    uniqueIndex("turns_one_running").on(t.chatId).where(sql`state IN ('running', 'waiting_for_user')`),
    index("turns_open").on(t.state).where(sql`state IN ('queued', 'running', 'waiting_for_user')`),
    index("turns_chat").on(t.chatId, t.createdAt),
    index("turns_sandbox").on(t.sandboxId, t.state),
  ],
);

export const messages = pgTable(
  "messages",
  {
    chatId: uuid("chat_id")
      .notNull()
      .references(() => chats.id, { onDelete: "cascade" }),
    /** Chosen by the client for a person's message, `msg_<turn>` for an answer. */
    id: text("id").notNull(),
    /** Order within the chat. */
    position: bigint("position", { mode: "number" }).notNull(),
    role: text("role").$type<"user" | "assistant">().notNull(),
    turnId: uuid("turn_id").notNull(),
    status: text("status").$type<"queued" | "delivered" | "removed">().notNull(),
    /** Of a person's message. The parts of an answer are those of its steps. */
    parts: jsonb("parts").$type<ChatMessage["parts"]>().notNull().default([]),
    metadata: jsonb("metadata").$type<MessageMetadata>().notNull().default({}),
    bodyHash: text("body_hash"),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.chatId, t.id] }),
    uniqueIndex("messages_position").on(t.chatId, t.position),
    index("messages_turn").on(t.turnId),
  ],
);

/** One finished, stopped or failed model step of a turn, with what it said. */
export const turnSteps = pgTable(
  "turn_steps",
  {
    turnId: uuid("turn_id")
      .notNull()
      .references(() => turns.id, { onDelete: "cascade" }),
    step: integer("step").notNull(),
    parts: jsonb("parts").$type<ChatMessage["parts"]>().notNull(),
    finishReason: text("finish_reason").notNull(),
    usage: jsonb("usage").$type<StepUsage>(),
    costUsd: doublePrecision("cost_usd"),
    model: text("model").notNull(),
    attempt: integer("attempt").notNull(),
    /** seq of the last event that belongs to it. */
    seq: bigint("seq", { mode: "number" }).notNull(),
    at: timestamp("at", { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.turnId, t.step] })],
);

/** What a chat's model is shown instead of the whole conversation; the newest row counts. The messages themselves stay. */
export const chatCondensings = pgTable(
  "chat_condensings",
  {
    chatId: uuid("chat_id")
      .notNull()
      .references(() => chats.id, { onDelete: "cascade" }),
    id: integer("id").notNull(),
    turnId: uuid("turn_id").notNull(),
    /** Key of the first unit after the gap; null: nothing is left out. */
    resumeAt: text("resume_at"),
    /** Key of the first unit whose tool output stays whole; null: all of it does. */
    wholeFrom: text("whole_from"),
    /** Of what is left out, by a model; null when none could be had. */
    summary: text("summary"),
    tokensBefore: integer("tokens_before").notNull(),
    tokensAfter: integer("tokens_after").notNull(),
    at: timestamp("at", { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.chatId, t.id] })],
);

export const toolCalls = pgTable(
  "tool_calls",
  {
    turnId: uuid("turn_id")
      .notNull()
      .references(() => turns.id, { onDelete: "cascade" }),
    /** Ours and random: a provider's own may come again in its next answer. */
    id: text("id").notNull(),
    step: integer("step").notNull(),
    position: integer("position").notNull(),
    name: text("name").notNull(),
    input: jsonb("input").$type<unknown>().notNull(),
    state: text("state").$type<"pending" | "running" | "done">().notNull().default("pending"),
    attempts: integer("attempts").notNull().default(0),
    /** Boot of the sandbox when the first attempt began: after another boot the outcome is unknown. */
    bootId: text("boot_id"),
    /** seq of its action event, set when the first attempt begins. */
    actionSeq: bigint("action_seq", { mode: "number" }),
    ok: boolean("ok"),
    output: jsonb("output").$type<Record<string, unknown>>(),
    startedAt: timestamp("started_at", { withTimezone: true }),
    endedAt: timestamp("ended_at", { withTimezone: true }),
  },
  (t) => [primaryKey({ columns: [t.turnId, t.id] }), uniqueIndex("tool_calls_order").on(t.turnId, t.step, t.position)],
);
