// Runs the embedded Postgres of the data directory alone, for development: prints its URL, Ctrl-C stops it.
// Usage: node scripts/postgres.mjs
import { join } from "node:path";
import { ensureDataDir, resolveDataDir } from "./lib/data-dir.mjs";
import { readHolder, takeLock } from "./lib/lock.mjs";
import { startPostgres } from "./lib/postgres.mjs";
import { identify } from "./lib/processes.mjs";
import { printFailure, SetupError } from "./lib/progress.mjs";

try {
  const dataDir = resolveDataDir(process.env);
  ensureDataDir(dataDir);
  const lockFile = join(dataDir, "dormouse.lock");
  const lock = await takeLock(lockFile);
  if (!lock)
    throw new SetupError(`The data directory ${dataDir} is in use by process ${readHolder(lockFile)?.pid ?? "?"}.`);
  lock.describe({ ...identify(process.pid), phase: "database only" });
  const postgres = await startPostgres({ dataDir, log: (text) => console.error(text) });
  const keepAlive = setInterval(() => {}, 60_000);
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
    process.once(signal, async () => {
      await postgres.stop();
      lock.release();
      clearInterval(keepAlive);
    });
  console.log(postgres.url);
} catch (error) {
  printFailure(error);
  process.exitCode = 1;
}
