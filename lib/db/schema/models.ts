import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { ProviderId } from "@/lib/model/contract";
import type { CallOutcome, CallPurpose } from "@/lib/usage/contract";
import { users } from "./users";

/** A model provider that a user has set up. The key is sealed; the file that opens it is not in the database. */
export const providerKeys = pgTable(
  "provider_keys",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    provider: text("provider").$type<ProviderId>().notNull(),
    /** `v1.<nonce>.<ciphertext and tag>`; null for a server that needs no key. */
    sealed: text("sealed"),
    /** Names the line of the key file that sealed it. */
    keyId: text("key_id"),
    baseUrl: text("base_url"),
    revision: integer("revision").notNull().default(1),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex("provider_keys_one").on(t.userId, t.provider),
    check("sealed_has_key_id", sql`(${t.sealed} IS NULL) = (${t.keyId} IS NULL)`),
  ],
);

/**
 * Every call of a model, written before it is made: what it used and cost, also when it failed, was stopped, or its process
 * died. Rows outlive their session, since the money was spent.
 */
export const modelCalls = pgTable(
  "model_calls",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    sessionId: uuid("session_id"),
    chatId: uuid("chat_id"),
    turnId: uuid("turn_id"),
    step: integer("step"),
    attempt: integer("attempt"),
    purpose: text("purpose").$type<CallPurpose>().notNull(),
    model: text("model").notNull(),
    inputTokens: integer("input_tokens").notNull(),
    outputTokens: integer("output_tokens").notNull().default(0),
    cacheReadTokens: integer("cache_read_tokens").notNull().default(0),
    cacheWriteTokens: integer("cache_write_tokens").notNull().default(0),
    reasoningTokens: integer("reasoning_tokens").notNull().default(0),
    /** Null when the price is unknown. */
    costUsd: doublePrecision("cost_usd"),
    /** The provider did not say, so the figures are counted from the text. */
    estimated: boolean("estimated").notNull().default(true),
    promptChars: integer("prompt_chars").notNull(),
    /** Null while it runs, and when nobody has noticed yet that its process died. */
    outcome: text("outcome").$type<CallOutcome>(),
    startedAt: timestamp("started_at", { withTimezone: true }).notNull().defaultNow(),
    endedAt: timestamp("ended_at", { withTimezone: true }),
  },
  (t) => [
    index("model_calls_day").on(t.userId, t.startedAt),
    index("model_calls_session").on(t.sessionId),
    index("model_calls_turn").on(t.turnId),
    index("model_calls_chat").on(t.chatId, t.startedAt),
  ],
);
