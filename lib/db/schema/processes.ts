import { integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** The app processes that work on this database; one whose heartbeat is 30 s old is dead. */
export const processes = pgTable("processes", {
  /** `host/pid/start time`. */
  owner: text("owner").primaryKey(),
  host: text("host").notNull(),
  pid: integer("pid").notNull(),
  startedAt: timestamp("started_at", { withTimezone: true }).notNull().defaultNow(),
  beatAt: timestamp("beat_at", { withTimezone: true }).notNull().defaultNow(),
});
