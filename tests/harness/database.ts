import { randomUUID } from "node:crypto";
import path from "node:path";
import { createPool, migrateDb } from "@/lib/db/client";
import { ensureDatabase, withClient } from "@/scripts/lib/harness.mjs";

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** The Postgres of the run: given by `npm test`, else started by global-database.ts. */
function serverUrl(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (!url)
    throw new Error("TEST_DATABASE_URL is not set: run database tests through the project `db` of vitest.config.ts");
  return url;
}

/**
 * A fresh database of its own for one test file or server.
 * @param options.migrated whether our tables are in it already (true by default)
 */
export async function createTestDatabase({ migrated = true }: { migrated?: boolean } = {}): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const url = await ensureDatabase(serverUrl(), name);
  if (migrated) {
    const pool = createPool(url);
    try {
      await migrateDb(pool, path.resolve(import.meta.dirname, "../../drizzle"));
    } finally {
      await pool.end();
    }
  }
  return {
    url,
    async drop() {
      await withClient(serverUrl(), (client) => client.query(`drop database if exists ${name} with (force)`));
    },
  };
}
