import { type AnyColumn, type SQL, sql } from "drizzle-orm";

/** The moment of writing by the database's clock, as a column value. Leases and deadlines know no other clock. */
export const dbNow: SQL = sql`clock_timestamp()`;

/** `ms` milliseconds from now by the database's clock, as a column value. */
export function dbIn(ms: number): SQL {
  return sql`clock_timestamp() + ${ms} * interval '1 millisecond'`;
}

/** Keeps what a time column holds, or sets it to now when it is empty. */
export function dbFirst(column: AnyColumn): SQL {
  return sql`coalesce(${column}, clock_timestamp())`;
}
