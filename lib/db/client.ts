import { sql } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import { Pool } from "pg";

export type Db = NodePgDatabase;
/** A transaction. Services open them and hand them to stores. */
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];
/** What a store works on: the pool or a transaction. */
export type Queryable = Db | Tx;

/**
 * The pool of a process. A cut connection is an event of the pool, not the end of the process; a request that finds no
 * connection fails after 3 s (properties.md, R10). Streams hold no connection, so 40 serve hundreds of readers.
 */
export function createPool(databaseUrl: string): Pool {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: 40,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: "dormouse",
    options: "-c idle_in_transaction_session_timeout=60000 -c timezone=UTC",
  });
  pool.on("error", () => {
    // The pool drops the connection and opens another one when it is needed.
  });
  return pool;
}

export function createDb(pool: Pool): Db {
  return drizzle(pool);
}

/** Applies the generated migrations; several processes may call it at once, one of them works. */
export async function migrateDb(pool: Pool, migrationsFolder: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("SELECT pg_advisory_lock(718402)");
    await migrate(drizzle(client), { migrationsFolder });
  } finally {
    await client.query("SELECT pg_advisory_unlock(718402)").catch(() => {});
    client.release();
  }
}

/** The database's clock, the only one that leases and deadlines know. */
export async function databaseNow(tx: Queryable): Promise<Date> {
  const found = await tx.execute<{ now: string }>(sql`SELECT clock_timestamp() AS now`);
  return new Date(found.rows[0]?.now ?? Number.NaN);
}
