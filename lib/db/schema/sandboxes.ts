import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import type { DiffView, FailureView, GitFacts, SandboxState, Wanted } from "@/lib/sandbox/contract";
import { executionColumns } from "./execution";
import { users } from "./users";

export interface StoredSnapshot {
  readonly id: string;
  readonly at: string;
  readonly sizeBytes: number;
}

export interface DevServer {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly port: number;
}

/** What is kept of the work when a sandbox is archived: a git bundle in the data directory. */
export interface KeptWork {
  readonly file: string;
  /** `version` of the row while it was kept: names the archiving that it belongs to. */
  readonly version: number;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly branch: string | null;
  readonly head: string;
}

export const sandboxes = pgTable(
  "sandboxes",
  {
    id: uuid("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    provider: text("provider").notNull(),
    /** A local sandbox belongs to a host; null lets any process drive it. */
    hostId: text("host_id"),
    /** Another one after each rebuild; part of the id at the provider, so that a late command cannot hit its successor. */
    generation: integer("generation").notNull().default(1),
    wanted: text("wanted").$type<Wanted>().notNull(),
    wantedReason: text("wanted_reason"),
    state: text("state").$type<SandboxState>().notNull(),
    version: integer("version").notNull().default(1),
    since: timestamp("since", { withTimezone: true }).notNull().defaultNow(),
    deadlineAt: timestamp("deadline_at", { withTimezone: true }),
    retryAt: timestamp("retry_at", { withTimezone: true }),
    failures: integer("failures").notNull().default(0),
    lifecycleError: jsonb("lifecycle_error").$type<FailureView>(),
    snapshot: jsonb("snapshot").$type<StoredSnapshot>(),
    devServers: jsonb("dev_servers").$type<DevServer[]>().notNull().default([]),
    /** Counts against `DORMOUSE_MAX_ACTIVE` of the user. */
    slot: boolean("slot").notNull().default(false),
    /** In line for a slot since then. */
    queuedAt: timestamp("queued_at", { withTimezone: true }),
    idleTimeoutSeconds: integer("idle_timeout_seconds").notNull(),
    /** Latest of: a person's message, the end of a turn, an activity call, becoming active. */
    activityAt: timestamp("activity_at", { withTimezone: true }).notNull().defaultNow(),
    gitRemote: text("git_remote"),
    baseCommit: text("base_commit"),
    branch: text("branch"),
    keptDiff: jsonb("kept_diff").$type<{ all: DiffView; uncommitted: DiffView; git?: GitFacts }>(),
    keptFiles: jsonb("kept_files").$type<{
      takenAt: string;
      entries: [path: string, type: "file" | "directory" | "symlink" | "other", sizeBytes: number][];
    }>(),
    keptWork: jsonb("kept_work").$type<KeptWork>(),
    linesAdded: integer("lines_added").notNull().default(0),
    linesRemoved: integer("lines_removed").notNull().default(0),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
    ...executionColumns(),
  },
  (t) => [
    index("sandboxes_user").on(t.userId, t.slot),
    index("sandboxes_open").on(t.state),
    check("hibernated_has_snapshot", sql`${t.state} <> 'hibernated' OR ${t.snapshot} IS NOT NULL`),
    check("archived_has_nothing", sql`${t.state} <> 'archived' OR (${t.snapshot} IS NULL AND NOT ${t.slot})`),
    check(
      "passing_has_deadline",
      sql`${t.state} NOT IN ('provisioning','hibernating','restoring','archiving') OR ${t.deadlineAt} IS NOT NULL OR ${t.queuedAt} IS NOT NULL`,
    ),
  ],
);

export const sandboxTransitions = pgTable(
  "sandbox_transitions",
  {
    sandboxId: uuid("sandbox_id")
      .notNull()
      .references(() => sandboxes.id, { onDelete: "cascade" }),
    version: integer("version").notNull(),
    from: text("from_state").$type<SandboxState>(),
    to: text("to_state").$type<SandboxState>().notNull(),
    event: text("event").notNull(),
    reason: text("reason"),
    at: timestamp("at", { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.sandboxId, t.version] })],
);

/** Files that a person sent before the sandbox was ready; written into it when the start ends. */
export const uploads = pgTable("uploads", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  sandboxId: uuid("sandbox_id")
    .notNull()
    .references(() => sandboxes.id, { onDelete: "cascade" }),
  path: text("path").notNull(),
  content: text("content_base64").notNull(),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
});
