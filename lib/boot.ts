import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { flushCompileCache } from "node:module";
import { totalmem } from "node:os";
import path from "node:path";
import { sql } from "drizzle-orm";
import type { Pool } from "pg";
import { createDb, createPool, type Db, migrateDb } from "@/lib/db/client";
import { createListener } from "@/lib/db/listen";
import { startEngine } from "@/lib/engine/engine";
import { beat, ownerOf } from "@/lib/engine/process";
import { createEngineQueue } from "@/lib/engine/queue";
import { CONCURRENCY } from "@/lib/engine/world";
import { type Env, parseEnv } from "@/lib/env";
import { createGitGateway } from "@/lib/git/http-gateway";
import { hashToken } from "@/lib/http/identity";
import { newId } from "@/lib/kernel/ids";
import { createLog, errorText, type Log } from "@/lib/kernel/log";
import { pause } from "@/lib/kernel/retry";
import { createModelCatalog } from "@/lib/model/catalog";
import { PROVIDER_IDS } from "@/lib/model/contract";
import { parseModelRef } from "@/lib/model/provider-access";
import { userAccess } from "@/lib/model/provider-service";
import { type Runtime, setRuntime } from "@/lib/runtime";
import type { SandboxProvider } from "@/lib/sandbox/provider";
import { createFakeProvider } from "@/lib/sandbox/providers/fake/provider";
import { BUILTIN_ALLOW } from "@/lib/sandbox/providers/local/egress/policy";
import { createLocalProvider } from "@/lib/sandbox/providers/local/provider";
import { createVault } from "@/lib/secrets/vault";
import { installShutdown } from "@/lib/shutdown";

/** How long a process waits for its database at start. */
const DATABASE_PATIENCE_MS = 60_000;
const GIB = 1024 ** 3;

/** Brings a process up: database, sandbox provider, listener, engine. What cannot work ends the process with a line that says why. */
export async function boot(): Promise<void> {
  const log = createLog();
  try {
    await compose(log);
  } catch (error) {
    log.error("Dormouse could not start", { error: error instanceof Error ? error.message : String(error) });
    process.exit(1);
  }
}

async function compose(log: Log): Promise<void> {
  const env = parseEnv(process.env);
  if (!env.databaseUrl)
    throw new Error(
      "DATABASE_URL is not set. `npm start` sets it up; for a process of your own, give the URL of a Postgres database.",
    );
  await mkdir(env.dataDir, { recursive: true, mode: 0o700 });
  const pool = createPool(env.databaseUrl);
  const db = createDb(pool);
  await waitForDatabase(pool, log);
  await migrateDb(pool, path.join(process.cwd(), "drizzle"));
  const hostId = await readHostId(env.dataDir);
  if (env.ownerToken) await ensureOwner(db, env.ownerToken);

  const provider = createProvider(env, hostId, log);
  await provider.recover();
  const vault = createVault(path.join(env.dataDir, "secrets.key"));
  const queue = createEngineQueue(log, CONCURRENCY);
  const runtime: Runtime = {
    env,
    db,
    pool,
    queue,
    listener: createListener(env.databaseUrl),
    provider,
    models: createModelCatalog({ env: env.models, userAccess: userAccess({ db, env, vault }) }),
    vault,
    log,
    owner: ownerOf(hostId),
    hostId,
    maxActive: env.maxActive ?? (env.signIn === "accounts" ? 3 : Math.max(2, Math.floor((totalmem() * 0.7) / GIB))),
    draining: false,
  };
  checkModelNames(env);
  setRuntime(runtime);
  await beat(db, runtime.owner, hostId);
  const engine = startEngine(runtime);
  installShutdown(runtime, engine);
  // Node writes it at an orderly end, which a killed process does not have.
  flushCompileCache();
  log.info("Dormouse is up", { owner: runtime.owner, provider: provider.name, maxActive: runtime.maxActive });
}

/** A name that no provider can ever have is an error at once; a key for the others may still come, in Settings. */
function checkModelNames(env: Env): void {
  const names = [...PROVIDER_IDS, "demo"];
  for (const [variable, ref] of Object.entries({
    DORMOUSE_MODEL: env.models.model,
    DORMOUSE_SMALL_MODEL: env.models.smallModel,
  })) {
    if (ref !== undefined && !names.includes(parseModelRef(ref)?.provider ?? ""))
      throw new Error(`${variable} must be provider/model, with one of these providers: ${names.join(", ")}.`);
  }
}

async function waitForDatabase(pool: Pool, log: Log): Promise<void> {
  const began = performance.now();
  for (;;) {
    try {
      await pool.query("SELECT 1");
      return;
    } catch (error) {
      if (performance.now() - began > DATABASE_PATIENCE_MS)
        throw new Error(`The database does not answer: ${errorText(error)}`);
      log.warn("waiting for the database", { error: errorText(error) });
      await pause(500);
    }
  }
}

/** A name for this host's data directory, made once: a local sandbox belongs to it. */
async function readHostId(dataDir: string): Promise<string> {
  const file = path.join(dataDir, "host-id");
  const known = await readFile(file, "utf8").catch(() => "");
  if (known.trim() !== "") return known.trim();
  const made = `host-${randomBytes(6).toString("hex")}`;
  await writeFile(file, `${made}\n`, { mode: 0o600 });
  return made;
}

/** One-machine mode has one owner with one token, stored as a hash; another one in the settings ends the one before. */
async function ensureOwner(db: Db, token: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`INSERT INTO users (id, name) VALUES (${newId()}, 'owner') ON CONFLICT (name) DO NOTHING`);
    await tx.execute(sql`
      INSERT INTO tokens (id, user_id, hash) SELECT ${newId()}, id, ${hashToken(token)} FROM users WHERE name = 'owner'
      ON CONFLICT (hash) DO UPDATE SET revoked_at = NULL`);
    await tx.execute(sql`
      UPDATE tokens SET revoked_at = clock_timestamp() WHERE revoked_at IS NULL AND hash <> ${hashToken(token)}
        AND user_id = (SELECT id FROM users WHERE name = 'owner')`);
  });
}

function createProvider(env: Env, hostId: string, log: Log): SandboxProvider {
  if (env.sandboxProvider === "fake") return createFakeProvider();
  return createLocalProvider({
    stateDir: path.join(env.dataDir, "sandboxes"),
    deployment: hostId,
    gateway: createGitGateway({
      tokens: env.gitTokens,
      allowLocal: env.allowLocalRepos,
      allow: [...BUILTIN_ALLOW, ...env.egressAllow],
      forbiddenFolders: [env.dataDir],
      log,
    }),
    baseAllow: BUILTIN_ALLOW,
    nodePath: env.nodePath,
    gitIdentity: { name: env.gitName, email: env.gitEmail },
    log: (line) => log.info("sandbox", { line }),
  });
}
