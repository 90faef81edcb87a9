import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { startPostgres } from "@/scripts/lib/harness.mjs";

/** Vitest global set-up: one real Postgres for the run, unless `npm test` has started it already. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_DATABASE_URL) return undefined;
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "dormouse-test-db-"));
  const postgres = await startPostgres({ dataDir, durable: false, maxConnections: 400 });
  process.env.TEST_DATABASE_URL = postgres.url;
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
