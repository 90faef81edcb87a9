// `npm run bench`: measures against a baseline in the same run and prints one table. `npm run bench -- sandbox` measures a part.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { benchTable } from "./lib/bench-table.mjs";
import { buildApp } from "./lib/build.mjs";
import { continueOnSupportedNode } from "./lib/node24.mjs";
import { createProgress, formatDuration, printFailure, SetupError } from "./lib/progress.mjs";
import { aloneInCheckout, setUp } from "./lib/setup.mjs";
import { runSuite } from "./lib/suite-run.mjs";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const progress = createProgress();
const CONFIG = join("tests", "bench", "vitest.config.ts");

/** @returns {Promise<number>} the exit code */
async function main() {
  const startedAt = Date.now();
  const dataDir = mkdtempSync(join(tmpdir(), "dormouse-bench-db-"));
  const rowsFile = join(dataDir, "rows.jsonl");
  /** @type {import("./lib/postgres.mjs").EmbeddedPostgres | undefined} */
  let postgres;
  try {
    await setUp({ root, dataDir, progress });
    const { startPostgres } = await import("./lib/postgres.mjs");
    await aloneInCheckout({ root, progress }, () => buildApp({ root, progress }));
    // As durable as in use: a database that forgets would flatter every figure.
    postgres = await startPostgres({ dataDir, durable: true, maxConnections: 200 });
    writeFileSync(rowsFile, "");
    const { failures } = await runSuite(
      {
        name: "bench",
        title: "bench",
        kind: "vitest",
        limitMs: 20 * 60_000,
        vitest: () => ["--config", CONFIG, ...process.argv.slice(2)],
      },
      {
        root,
        env: { TEST_DATABASE_URL: postgres.url, DORMOUSE_TEST_BUILT: "1", DORMOUSE_BENCH_ROWS: rowsFile },
      },
    );
    const rows = readFileSync(rowsFile, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    if (rows.length === 0) throw new SetupError("Nothing was measured; what went wrong is printed above.");
    console.log(`\n${benchTable(rows)}\n`);
    for (const failure of failures) console.log(`✗ ${failure}\n`);
    console.log(`${rows.length} rows in ${formatDuration(Date.now() - startedAt)}`);
    return failures.length > 0 ? 1 : 0;
  } finally {
    await postgres?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

try {
  if (await continueOnSupportedNode({ root, script: fileURLToPath(import.meta.url), progress }))
    process.exit(await main());
} catch (error) {
  printFailure(error);
  process.exit(1);
}
