import {
  type AnyPgColumn,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import type { FailureView } from "@/lib/sandbox/contract";
import type { StartPhase, StartStatus } from "@/lib/session/contract";
import { executionColumns } from "./execution";
import { sandboxes } from "./sandboxes";
import { users } from "./users";

export const sessions = pgTable(
  "sessions",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    sandboxId: uuid("sandbox_id")
      .notNull()
      .references(() => sandboxes.id),
    parentId: uuid("parent_id").references((): AnyPgColumn => sessions.id, { onDelete: "set null" }),
    /** SHA-256 of the body that created it: the same id with another body is a conflict. */
    requestHash: text("request_hash").notNull(),
    title: text("title").notNull(),
    /** A title that a person chose is never replaced. */
    titleSource: text("title_source").$type<"default" | "auto" | "model" | "person">().notNull(),
    status: text("status").$type<"running" | "archived">().notNull().default("running"),
    model: text("model").notNull(),
    repoUrl: text("repo_url"),
    baseBranch: text("base_branch"),
    /** The branch to work on, when it is not the base branch itself. */
    newBranch: text("new_branch"),
    instructions: text("instructions"),
    tags: text("tags").array().notNull().default([]),
    maxSteps: integer("max_steps"),
    maxCostUsd: doublePrecision("max_cost_usd"),
    /** Of all turns of the session together; null is no limit. */
    sessionMaxSteps: integer("session_max_steps"),
    sessionMaxCostUsd: doublePrecision("session_max_cost_usd"),
    createdAt: timestamp("created_at", { withTimezone: true, precision: 6 }).notNull().defaultNow(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
    lastActivityAt: timestamp("last_activity_at", { withTimezone: true, precision: 6 }).notNull().defaultNow(),
    archivedAt: timestamp("archived_at", { withTimezone: true }),
    deletedAt: timestamp("deleted_at", { withTimezone: true }),
  },
  (t) => [
    // In the order of the list, which is Postgres' own for DESC; drizzle's default is another, and would not be used.
    index("sessions_list").on(t.userId, t.status, t.lastActivityAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index("sessions_sandbox").on(t.sandboxId),
  ],
);

/**
 * Sessions of a user that are not deleted, kept by a trigger (drizzle/0001_count_sessions.sql): counting 100,000 takes longer
 * than all the rest of their list.
 */
export const sessionCounts = pgTable("session_counts", {
  userId: uuid("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  active: integer("active").notNull().default(0),
  archived: integer("archived").notNull().default(0),
});

export interface SkillRecord {
  readonly name: string;
  readonly source: string;
  readonly path: string;
  readonly description?: string;
  readonly problem?: string;
}

/** The durable record of bringing a session to READY; a rebuild or an unarchive makes another one. */
export const startTasks = pgTable(
  "start_tasks",
  {
    id: uuid("id").primaryKey(),
    sessionId: uuid("session_id")
      .notNull()
      .references(() => sessions.id, { onDelete: "cascade" }),
    sandboxId: uuid("sandbox_id").notNull(),
    generation: integer("generation").notNull(),
    status: text("status").$type<StartStatus>().notNull().default("WORKING"),
    phases: jsonb("phases").$type<StartPhase[]>().notNull(),
    error: jsonb("error").$type<FailureView>(),
    skills: jsonb("skills").$type<SkillRecord[]>().notNull().default([]),
    cancelRequested: boolean("cancel_requested").notNull().default(false),
    /** Counts retries by a person; part of the ids of commands, so that a retry runs them again. */
    tries: integer("tries").notNull().default(1),
    /** Failures of the current phase that were tried again by themselves. */
    failures: integer("failures").notNull().default(0),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
    ...executionColumns(),
  },
  (t) => [index("start_tasks_session").on(t.sessionId, t.generation), index("start_tasks_status").on(t.status)],
);
