import { integer, text, timestamp, uuid } from "drizzle-orm/pg-core";

/**
 * The columns of every row that a workflow drives (design.md, section 2, rules 1 to 3).
 *
 * A *run* is one workflow run; the row names the only one that may act. An *execution* is one invocation of a step body;
 * it holds a lease. Owners are `host/pid/start time` of a process. All times are the database's.
 */
export const executionColumns = () => ({
  runId: uuid("run_id"),
  runOwner: text("run_owner"),
  /** The run is overdue after this and may be replaced. */
  runUntil: timestamp("run_until", { withTimezone: true }),
  /** Set while the run sleeps on purpose; work that is due before replaces the run instead of waiting for it. */
  runSleepsUntil: timestamp("run_sleeps_until", { withTimezone: true }),
  exec: uuid("exec"),
  execOwner: text("exec_owner"),
  leaseUntil: timestamp("lease_until", { withTimezone: true }),
  attempt: integer("attempt").notNull().default(0),
  /** Executions since the last progress that died or threw; a row that ends its process each time is given up. */
  lost: integer("lost").notNull().default(0),
});
