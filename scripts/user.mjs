// `npm run user -- add <name>`: makes another user and prints a token, whether the app runs or not.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensureDataDir, resolveDataDir } from "./lib/data-dir.mjs";
import { takeDataDir } from "./lib/data-lock.mjs";
import { printFailure, SetupError } from "./lib/progress.mjs";

const NAME_PATTERN = /^[\p{L}\p{N}][\p{L}\p{N} ._@+-]{0,99}$/u;

/**
 * Runs `work` with a database: that of DATABASE_URL, that of the Dormouse that runs on the data directory, or its
 * embedded one, started for this and stopped again.
 * @param {(databaseUrl: string) => Promise<void>} work
 */
async function withDatabase(work) {
  if (process.env.DATABASE_URL) return work(process.env.DATABASE_URL);
  const dataDir = resolveDataDir(process.env);
  if (!existsSync(join(dataDir, "postgres")) && !existsSync(join(dataDir, "dormouse.lock")))
    throw new SetupError(`There is no Dormouse in ${dataDir} yet. Run npm start first, or set DORMOUSE_DATA_DIR.`);
  ensureDataDir(dataDir);
  const taken = await takeDataDir(dataDir, (text) => console.error(text));
  if ("holder" in taken) {
    if (!taken.holder.databaseUrl) throw new SetupError("The Dormouse that runs does not say where its database is.");
    return work(taken.holder.databaseUrl);
  }
  const { startPostgres } = await import("./lib/postgres.mjs");
  try {
    const postgres = await startPostgres({ dataDir, log: (text) => console.error(text) });
    try {
      await work(postgres.url);
    } finally {
      await postgres.stop();
    }
  } finally {
    taken.lock.release();
  }
}

/** @param {string} databaseUrl @param {string} name @returns {Promise<string>} the token; only its hash is stored */
async function addUser(databaseUrl, name) {
  const { withClient } = await import("./lib/postgres-client.mjs");
  const token = randomBytes(32).toString("base64url");
  await withClient(databaseUrl, async (client) => {
    await client.query("begin");
    const user = await client.query(
      "insert into users (id, name) values ($1, $2) on conflict (name) do nothing returning id",
      [...[randomUUID(), name]],
    );
    if (user.rowCount === 0) throw new SetupError(`There is a user named ${name} already.`);
    const hash = createHash("sha256").update(token).digest("hex");
    await client.query("insert into tokens (id, user_id, hash) values ($1, $2, $3)", [
      randomUUID(),
      user.rows[0].id,
      hash,
    ]);
    await client.query("commit");
  }).catch((error) => {
    // 42P01: no such table. The app makes them at its first start.
    if (error.code === "42P01")
      throw new SetupError("The database is still empty. Run npm start once, then add users.");
    throw error;
  });
  return token;
}

try {
  const [action, ...words] = process.argv.slice(2);
  const name = words.join(" ").trim();
  if (action !== "add" || !NAME_PATTERN.test(name))
    throw new SetupError(
      "Usage: npm run user -- add <name>\nA name starts with a letter or digit; at most 100 characters.",
    );
  if (!existsSync(new URL("../node_modules/pg/package.json", import.meta.url)))
    throw new SetupError("The packages are not installed yet. Run npm start first.");
  await withDatabase(async (databaseUrl) => {
    const token = await addUser(databaseUrl, name);
    console.error(`User ${name} added. Their token, shown only now:`);
    console.log(token);
  });
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
