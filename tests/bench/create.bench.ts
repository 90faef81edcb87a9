import { randomUUID } from "node:crypto";
import { Client as Postgres } from "pg";
import { test } from "vitest";
import type { CreateSessionView } from "@/lib/session/contract";
import { Client } from "@/tests/api/client";
import { rows } from "@/tests/fixtures/rows";
import { createTestDatabase } from "@/tests/harness/database";
import { startDormouse } from "@/tests/harness/server";
import { median, report, timed, timedRuns } from "./measure";

const RUNS = 40;
/** Every table that a creation writes to, in the order of its references. */
const TABLES = ["sandboxes", "sessions", "start_tasks", "chats", "chat_streams", "turns", "messages", "chat_events"];

interface StoredRow extends Record<string, unknown> {
  readonly table: string;
  readonly row: string;
}

/** What one creation has stored, as JSON. */
async function rowsOf(databaseUrl: string, sessionId: string): Promise<StoredRow[]> {
  const found = await rows<{ chat: string; sandbox: string }>(
    databaseUrl,
    "SELECT c.id AS chat, s.sandbox_id AS sandbox FROM sessions s JOIN chats c ON c.session_id = s.id WHERE s.id = $1",
    [sessionId],
  );
  const ids = [sessionId, found[0]?.chat, found[0]?.sandbox];
  const all: StoredRow[] = [];
  for (const table of TABLES) {
    const stored = await rows<StoredRow>(
      databaseUrl,
      `SELECT '${table}' AS table, to_jsonb(t)::text AS row FROM ${table} t
       WHERE coalesce(to_jsonb(t)->>'session_id', to_jsonb(t)->>'chat_id', to_jsonb(t)->>'id') = ANY($1)`,
      [ids],
    );
    all.push(...stored);
  }
  return all;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

test("POST /api/sessions against one bare transaction of the same rows", async () => {
  const server = await startDormouse({ env: { DORMOUSE_CREATE_LIMIT: "off", DORMOUSE_MAX_ACTIVE: "100" } });
  const empty = await createTestDatabase();
  const bare = new Postgres({ connectionString: empty.url });
  await bare.connect();
  try {
    const api = new Client(server.url, server.token);
    // Each is answered before the next is made, so that nothing runs beside what is timed.
    const created = async () => {
      let made: CreateSessionView | undefined;
      const ms = await timed(async () => {
        made = await api.create({ prompt: "say hello" });
      });
      if (!made) throw new Error("no session was made");
      await api.finished(made.chat.id, made.message?.metadata.turnId ?? "");
      await api.delete(`/api/sessions/${made.session.id}`);
      return ms;
    };
    const made = await api.create({ prompt: "say hello" });
    const stored = await rowsOf(server.databaseUrl, made.session.id);
    const [owner] = await rows<{ row: string }>(server.databaseUrl, "SELECT to_jsonb(u)::text AS row FROM users u");
    await bare.query("INSERT INTO users SELECT * FROM jsonb_populate_record(null::users, $1::jsonb)", [owner?.row]);
    const ownerId = (JSON.parse(owner?.row ?? "{}") as { id: string }).id;

    for (let run = 0; run < 5; run += 1) await created();
    const ours: number[] = [];
    for (let run = 0; run < RUNS; run += 1) ours.push(await created());
    const theirs = await timedRuns(RUNS, async () => {
      const fresh = new Map([[ownerId, ownerId]]);
      await bare.query("BEGIN");
      for (const { table, row } of stored) {
        const renamed = row.replace(UUID, (id) => {
          if (!fresh.has(id)) fresh.set(id, randomUUID());
          return fresh.get(id) ?? id;
        });
        await bare.query(`INSERT INTO ${table} SELECT * FROM jsonb_populate_record(null::${table}, $1::jsonb)`, [
          renamed,
        ]);
      }
      await bare.query("COMMIT");
    });
    report({
      name: "create a session (POST)",
      baseline: `one bare transaction of its ${stored.length} rows`,
      ours: median(ours),
      theirs: median(theirs),
      unit: "ms",
      runs: RUNS,
      aim: 3,
    });
  } finally {
    await bare.end();
    await empty.drop();
    await server.stop();
  }
});
