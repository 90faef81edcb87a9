import { test } from "vitest";
import { Client } from "@/tests/api/client";
import { rows } from "@/tests/fixtures/rows";
import { startDormouse } from "@/tests/harness/server";
import { median, report, timedRuns } from "./measure";

const RUNS = 100;
const FEW = 100;
const MANY = 100_000;

/** Copies of a stored session until there are `count`; asleep, as most sessions of a large account are. */
async function fill(databaseUrl: string, sessionId: string, count: number): Promise<void> {
  const copy = (table: string, change: string, where: string) =>
    `INSERT INTO ${table} SELECT r.* FROM copies, ${table} t,
       LATERAL jsonb_populate_record(null::${table}, to_jsonb(t) || jsonb_build_object(${change})) r WHERE ${where}`;
  // One by one they would change the same row of counts, 100,000 times in one transaction.
  await rows(databaseUrl, "ALTER TABLE sessions DISABLE TRIGGER USER");
  await rows(
    databaseUrl,
    `WITH copies AS MATERIALIZED (
       SELECT gen_random_uuid() AS session, gen_random_uuid() AS chat, gen_random_uuid() AS sandbox, n
       FROM generate_series((SELECT count(*) FROM sessions) + 1, ${count}) n
     ), boxes AS (${copy("sandboxes", "'id', copies.sandbox", `t.id = (SELECT sandbox_id FROM sessions WHERE id = '${sessionId}')`)}),
     works AS (${copy(
       "sessions",
       "'id', copies.session, 'sandbox_id', copies.sandbox, 'title', 'Session ' || copies.n, 'last_activity_at', now() - copies.n * interval '1 second'",
       `t.id = '${sessionId}'`,
     )})
     ${copy("chats", "'id', copies.chat, 'session_id', copies.session", `t.session_id = '${sessionId}'`)}`,
  );
  await rows(databaseUrl, "ALTER TABLE sessions ENABLE TRIGGER USER");
  await rows(databaseUrl, "UPDATE session_counts SET active = (SELECT count(*) FROM sessions)");
  await rows(databaseUrl, "ANALYZE");
}

test("the list of sessions at 100 and at 100,000", async () => {
  const server = await startDormouse();
  try {
    const api = new Client(server.url, server.token);
    const made = await api.ready({ title: "The first" });
    await api.asleep(made.session.id);
    const measure = async () => {
      await timedRuns(10, () => api.get("/api/sessions?status=active&limit=50"));
      return median(await timedRuns(RUNS, () => api.get("/api/sessions?status=active&limit=50")));
    };
    await fill(server.databaseUrl, made.session.id, FEW);
    const few = await measure();
    await fill(server.databaseUrl, made.session.id, MANY);
    const many = await measure();
    report({
      name: "list of sessions, at 100,000",
      baseline: "at 100",
      ours: many,
      theirs: few,
      unit: "ms",
      runs: RUNS,
      aim: 1.5,
    });
  } finally {
    await server.stop();
  }
});
