import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createDb, createPool } from "@/lib/db/client";
import { createListener } from "@/lib/db/listen";
import type { Deps } from "@/lib/deps";
import { parseEnv } from "@/lib/env";
import type { Log } from "@/lib/kernel/log";
import { createModelCatalog } from "@/lib/model/catalog";
import { userAccess } from "@/lib/model/provider-service";
import { createFakeProvider, type FakeSandboxProvider } from "@/lib/sandbox/providers/fake/provider";
import { createVault } from "@/lib/secrets/vault";
import { FakeGit } from "./fake-git";

export interface TestDeps extends Deps {
  readonly provider: FakeSandboxProvider;
  readonly userId: string;
  /** Warnings and errors that were logged, newest last. */
  readonly logged: string[];
  query<Row extends Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** What services work with, on a test's own database with the fake provider and the demo model; one user is there. */
export async function createTestDeps(databaseUrl: string, more: Partial<Deps> = {}): Promise<TestDeps> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "dormouse-deps-"));
  const pool = createPool(databaseUrl);
  const listener = createListener(databaseUrl);
  const provider = createFakeProvider();
  provider.respond(/^\/bin\/bash -c/, new FakeGit().program);
  const logged: string[] = [];
  const note = (event: string, fields: object = {}) => void logged.push(`${event} ${JSON.stringify(fields)}`);
  const log: Log = { info: () => {}, warn: note, error: note };
  const userId = randomUUID();
  await pool.query("INSERT INTO users (id, name) VALUES ($1, $2)", [userId, `user ${userId}`]);
  const env = parseEnv({ DORMOUSE_DATA_DIR: dataDir, DORMOUSE_SANDBOX_PROVIDER: "fake" });
  const db = createDb(pool);
  const vault = createVault(path.join(dataDir, "secrets.key"));
  return {
    env,
    db,
    listener,
    models: createModelCatalog({ env: env.models, userAccess: userAccess({ db, env, vault }) }),
    vault,
    log,
    owner: `test/${process.pid}/${randomUUID()}`,
    hostId: "test",
    maxActive: 100,
    ...more,
    provider,
    userId,
    logged,
    query: async <Row extends Record<string, unknown>>(text: string, values: readonly unknown[] = []) =>
      (await pool.query(text, [...values])).rows as Row[],
    async close() {
      await listener.close();
      await pool.end();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
