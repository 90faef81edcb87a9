import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/tests/harness/database";
import { INVARIANTS, violations } from "./invariants";

const USER = "00000000-0000-4000-8000-000000000001";
const SANDBOX = "00000000-0000-4000-8000-000000000002";
const SESSION = "00000000-0000-4000-8000-000000000003";
const CHAT = "00000000-0000-4000-8000-000000000004";
const TURN = "00000000-0000-4000-8000-000000000005";
const OTHER_TURN = "00000000-0000-4000-8000-000000000006";

let database: TestDatabase;
let client: Client;
const sql = (text: string, ...values: unknown[]) => client.query(text, values);

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** A healthy session: one completed turn with one command, a sandbox that is active. */
beforeEach(async () => {
  await sql("TRUNCATE users CASCADE");
  await sql("INSERT INTO users (id, name) VALUES ($1, 'owner')", USER);
  await sql(
    `INSERT INTO sandboxes (id, user_id, provider, wanted, state, version, idle_timeout_seconds)
     VALUES ($1, $2, 'local', 'awake', 'active', 2, 60)`,
    ...[SANDBOX, USER],
  );
  await sql(
    `INSERT INTO sandbox_transitions (sandbox_id, version, from_state, to_state, event)
     VALUES ($1, 1, NULL, 'provisioning', 'create'), ($1, 2, 'provisioning', 'active', 'ready')`,
    SANDBOX,
  );
  await sql(
    `INSERT INTO sessions (id, user_id, sandbox_id, request_hash, title, title_source, model)
     VALUES ($1, $2, $3, 'h', 't', 'person', 'demo/demo')`,
    ...[SESSION, USER, SANDBOX],
  );
  await sql("INSERT INTO chats (id, session_id, title, model) VALUES ($1, $2, 't', 'demo/demo')", CHAT, SESSION);
  await sql("INSERT INTO chat_streams (chat_id, last_seq) VALUES ($1, 3)", CHAT);
  await turn(TURN, "completed");
  await sql(
    `INSERT INTO messages (chat_id, id, position, role, turn_id, status)
     VALUES ($1, 'm', 1, 'user', $2, 'delivered'), ($1, 'a', 2, 'assistant', $2, 'delivered')`,
    ...[CHAT, TURN],
  );
  await event(1, "action", "run", "agent", {});
  await event(2, "observation", "run", "agent", { cause: 1 });
  await event(3, "state", "turn", "system", { turn: { id: TURN, state: "completed" } });
});

async function turn(id: string, state: string): Promise<void> {
  await sql(
    `INSERT INTO turns (id, chat_id, session_id, sandbox_id, state, step_allowance, started_at, lease_until)
     VALUES ($1, $2, $3, $4, $5, 10, now(), now())`,
    ...[id, CHAT, SESSION, SANDBOX, state],
  );
}

async function event(seq: number, kind: string, name: string, source: string, data: object): Promise<void> {
  await sql(
    "INSERT INTO chat_events (chat_id, seq, turn_id, kind, name, source, data) VALUES ($1, $2, $3, $4, $5, $6, $7)",
    ...[CHAT, seq, TURN, kind, name, source, data],
  );
}

/** How each invariant can be broken where the schema itself does not forbid it. */
const BREAKS: Record<string, () => Promise<unknown>> = {
  I1: async () => {
    await sql("DROP INDEX IF EXISTS turns_one_queued");
    await turn(OTHER_TURN, "queued");
    await sql("UPDATE turns SET state = 'queued'");
  },
  I1b: async () => {
    await sql("DROP INDEX IF EXISTS turns_one_running");
    await turn(OTHER_TURN, "running");
    await sql("UPDATE turns SET state = 'running'");
  },
  I2: () => sql("UPDATE turns SET state = 'running', lease_until = now() - interval '2 min'"),
  I3: () =>
    sql("UPDATE sandboxes SET state = 'restoring', deadline_at = now() - interval '2 min' WHERE id = $1", SANDBOX),
  I5: () => sql("DELETE FROM chat_events WHERE seq = 2"),
  I5b: () => sql("DELETE FROM messages WHERE role = 'assistant'"),
  I5c: () => sql("UPDATE chat_events SET data = '{}' WHERE kind = 'observation'"),
  I5d: () => event(4, "state", "turn", "system", { turn: { id: TURN, state: "stopped" } }),
  I5e: () => sql("UPDATE messages SET status = 'queued' WHERE role = 'user'"),
  I5f: () =>
    sql(
      `INSERT INTO model_calls (id, user_id, turn_id, purpose, model, input_tokens, prompt_chars)
       VALUES ($1, $2, $3, 'step', 'demo/demo', 1, 4)`,
      ...[OTHER_TURN, USER, TURN],
    ),
  I6: () =>
    sql("UPDATE turns SET state = 'queued', started_at = NULL, created_at = now() - interval '2 min', ended_at = NULL"),
  I6b: () => sql("UPDATE sandboxes SET wanted = 'archived', since = now() - interval '2 min'"),
  I6c: () =>
    sql(
      `INSERT INTO start_tasks (id, session_id, sandbox_id, generation, phases, updated_at)
       VALUES ($1, $2, $3, 1, '[]', now() - interval '3 min')`,
      ...[OTHER_TURN, SESSION, SANDBOX],
    ),
  I7: () => sql("DELETE FROM sandbox_transitions WHERE version = 2"),
  I7b: () => sql("UPDATE sandbox_transitions SET from_state = 'archived' WHERE version = 2"),
  I8: async () => {
    await sql("ALTER TABLE sandboxes DROP CONSTRAINT IF EXISTS hibernated_has_snapshot");
    await sql("UPDATE sandboxes SET state = 'hibernated'");
  },
  I9: async () => {
    await sql("ALTER TABLE sandboxes DROP CONSTRAINT IF EXISTS archived_has_nothing");
    await sql("UPDATE sandboxes SET state = 'archived', slot = true");
  },
  I10b: () =>
    sql(
      `INSERT INTO provider_keys (id, user_id, provider, sealed, key_id) VALUES ($1, $2, 'openai', 'sk-in-the-clear', 'key-1')`,
      ...[OTHER_TURN, USER],
    ),
  counts: () => sql("UPDATE session_counts SET active = active + 1"),
  I10: () => sql("INSERT INTO tokens (id, user_id, hash) VALUES ($1, $2, 'plain')", OTHER_TURN, USER),
};

describe("the invariants", () => {
  test("hold for a healthy session", async () => {
    expect(await violations(database.url)).toEqual([]);
  });

  test.for(INVARIANTS)("notice a violation of $name", async ({ name }) => {
    const id = name.split(":")[0] ?? "";
    const breakIt = BREAKS[id];
    if (!breakIt) throw new Error(`nothing breaks ${id}`);
    await breakIt();
    const found = await violations(database.url);
    expect(found.map((one) => one.split(":")[0])).toContain(id);
  });

  test("find a secret in any table of the database", async () => {
    await sql("UPDATE chat_events SET data = $1 WHERE seq = 1", { args: { nested: ["the canary-secret lies here"] } });
    expect(await violations(database.url, ["canary-secret"])).toEqual([
      "I10: a secret is readable in public.chat_events",
    ]);
  });
});
