import { connected, type Query } from "@/tests/fixtures/rows";

interface Invariant {
  readonly name: string;
  /** Selects one row per violation. */
  readonly query: string;
}

/** The state machine of a sandbox, written down a second time (design.md, section 3). */
const LEGAL = `(VALUES
  (NULL, 'provisioning'),
  ('provisioning', 'active'), ('provisioning', 'failed'), ('provisioning', 'archiving'),
  ('active', 'hibernating'), ('active', 'restoring'), ('active', 'failed'), ('active', 'archiving'),
  ('hibernating', 'hibernated'), ('hibernating', 'active'), ('hibernating', 'archiving'),
  ('hibernated', 'restoring'), ('hibernated', 'archiving'),
  ('restoring', 'active'), ('restoring', 'restoring'), ('restoring', 'failed'), ('restoring', 'archiving'),
  ('failed', 'provisioning'), ('failed', 'restoring'), ('failed', 'archiving'),
  ('archiving', 'archived'), ('archiving', 'failed'),
  ('archived', 'provisioning')) AS legal(a, b)`;

/** properties.md, "Invariants", on the schema as it is. I4 needs the host and lies in `orphans.ts`. */
export const INVARIANTS: readonly Invariant[] = [
  {
    name: "I1: per chat at most one queued and one running or waiting turn",
    query: `SELECT chat_id FROM turns GROUP BY chat_id HAVING count(*) FILTER (WHERE state = 'queued') > 1
      OR count(*) FILTER (WHERE state IN ('running', 'waiting_for_user')) > 1`,
  },
  {
    name: "I1b: per session at most one running turn",
    query: "SELECT session_id FROM turns WHERE state = 'running' GROUP BY session_id HAVING count(*) > 1",
  },
  {
    name: "I2: a running turn has a lease that is alive or ended less than 60 s ago",
    query: `SELECT id, lease_until FROM turns WHERE state = 'running'
      AND coalesce(lease_until, started_at, created_at) < clock_timestamp() - interval '60 s'`,
  },
  {
    name: "I3: a passing sandbox has a deadline, none past by more than 60 s",
    query: `SELECT id, state FROM sandboxes WHERE state IN ('provisioning', 'hibernating', 'restoring', 'archiving')
      AND queued_at IS NULL AND (deadline_at IS NULL OR deadline_at < clock_timestamp() - interval '60 s')`,
  },
  {
    name: "I5: the events of a chat are numbered 1..n without a gap",
    query: `SELECT s.chat_id, s.last_seq, count(e.seq) AS events FROM chat_streams s LEFT JOIN chat_events e USING (chat_id)
      GROUP BY s.chat_id, s.last_seq HAVING count(e.seq) <> s.last_seq
      OR coalesce(max(e.seq), 0) <> s.last_seq OR coalesce(min(e.seq), 1) <> 1`,
  },
  {
    name: "I5b: a completed turn has exactly one assistant message",
    query: `SELECT t.id, count(m.id) FROM turns t LEFT JOIN messages m ON m.turn_id = t.id AND m.role = 'assistant'
      WHERE t.state = 'completed' GROUP BY t.id HAVING count(m.id) <> 1`,
  },
  {
    name: "I5c: a tool action of an ended turn has exactly one observation",
    query: `SELECT a.chat_id, a.seq, a.name, count(o.seq) FROM chat_events a JOIN turns t ON t.id = a.turn_id
      LEFT JOIN chat_events o ON o.chat_id = a.chat_id AND o.kind = 'observation' AND (o.data ->> 'cause')::bigint = a.seq
      WHERE a.kind = 'action' AND a.source = 'agent' AND a.name <> 'message'
      AND t.state IN ('completed', 'failed', 'stopped', 'interrupted')
      GROUP BY a.chat_id, a.seq, a.name HAVING count(o.seq) <> 1`,
  },
  {
    name: "I5d: a turn ends once in its stream",
    query: `SELECT turn_id, count(*) FROM chat_events WHERE kind = 'state' AND name = 'turn'
      AND data -> 'turn' ->> 'state' IN ('completed', 'failed', 'stopped', 'interrupted')
      GROUP BY turn_id HAVING count(*) > 1`,
  },
  {
    name: "I5e: a message of an ended turn has been delivered",
    query: `SELECT m.chat_id, m.id FROM messages m JOIN turns t ON t.id = m.turn_id
      WHERE m.role = 'user' AND m.status = 'queued' AND t.state IN ('completed', 'failed', 'interrupted')`,
  },
  {
    name: "I5f: no call of a model that began in a turn is open after its end",
    query: `SELECT c.id, c.purpose, t.state FROM model_calls c JOIN turns t ON t.id = c.turn_id
      WHERE c.outcome IS NULL AND t.state IN ('completed', 'failed', 'stopped', 'interrupted')
      AND c.started_at <= coalesce(t.ended_at, c.started_at)`,
  },
  {
    name: "I6: no queued turn waits for more than 60 s in a session where nothing runs",
    query: `SELECT t.id, t.reason FROM turns t JOIN sandboxes b ON b.id = t.sandbox_id
      WHERE t.state = 'queued' AND t.created_at < clock_timestamp() - interval '60 s'
      AND b.state = 'active' AND NOT EXISTS
        (SELECT 1 FROM turns o WHERE o.sandbox_id = t.sandbox_id AND o.state IN ('running', 'waiting_for_user'))
      AND NOT EXISTS (SELECT 1 FROM turns o WHERE o.sandbox_id = t.sandbox_id AND o.ended_at > clock_timestamp() - interval '60 s')`,
  },
  {
    name: "I6b: what is wanted of a sandbox is reached within 60 s",
    query: `SELECT id, state, wanted FROM sandboxes WHERE since < clock_timestamp() - interval '60 s'
      AND ((wanted = 'archived' AND state NOT IN ('archiving', 'archived', 'failed'))
        OR (wanted = 'deleted' AND state <> 'archiving')
        OR (wanted = 'asleep' AND state NOT IN ('hibernating', 'hibernated', 'failed')))`,
  },
  {
    name: "I6c: no start is open for longer than its work takes",
    query: `SELECT id, status FROM start_tasks WHERE status NOT IN ('READY', 'ERROR')
      AND updated_at < clock_timestamp() - interval '90 s'`,
  },
  {
    name: "I7: the log of transitions has no gap, starts at creation and ends in the state of the row",
    query: `SELECT b.id FROM sandboxes b LEFT JOIN sandbox_transitions x ON x.sandbox_id = b.id GROUP BY b.id
      HAVING count(x.version) <> max(x.version) - min(x.version) + 1
      OR (array_agg(x.to_state ORDER BY x.version DESC))[1] <> b.state`,
  },
  {
    name: "I7b: every transition is legal and follows the one before",
    query: `SELECT x.sandbox_id, x.version, x.from_state, x.to_state FROM
      (SELECT *, lag(to_state) OVER (PARTITION BY sandbox_id ORDER BY version) AS before FROM sandbox_transitions) x
      WHERE x.from_state IS DISTINCT FROM x.before OR NOT EXISTS
        (SELECT 1 FROM ${LEGAL} WHERE a IS NOT DISTINCT FROM x.from_state AND b = x.to_state)`,
  },
  {
    name: "I8: hibernated means a snapshot",
    query: "SELECT id FROM sandboxes WHERE state = 'hibernated' AND snapshot IS NULL",
  },
  {
    name: "I9: archived means no snapshot and no place in use",
    query: "SELECT id FROM sandboxes WHERE state = 'archived' AND (snapshot IS NOT NULL OR slot)",
  },
  {
    name: "I10b: the keys of model providers are sealed, and their row says with which key",
    query: `SELECT id, provider FROM provider_keys WHERE (sealed IS NULL) <> (key_id IS NULL)
      OR sealed !~ '^v1\\.[A-Za-z0-9_-]{16}\\.[A-Za-z0-9_-]{23,}$' OR key_id !~ '^[A-Za-z0-9_-]{1,40}$'`,
  },
  {
    name: "counts: the counts of sessions are what the list shows",
    query: `SELECT u.id FROM users u LEFT JOIN session_counts c ON c.user_id = u.id
      LEFT JOIN sessions s ON s.user_id = u.id AND s.deleted_at IS NULL GROUP BY u.id, c.active, c.archived
      HAVING count(s.id) FILTER (WHERE s.status = 'running') <> coalesce(c.active, 0)
      OR count(s.id) FILTER (WHERE s.status = 'archived') <> coalesce(c.archived, 0)`,
  },
  { name: "I10: tokens are stored as hashes", query: "SELECT id FROM tokens WHERE hash !~ '^[0-9a-f]{64}$'" },
];

/** Every violated invariant with the rows that show it. `secrets` may not be readable anywhere in the database. */
export function violations(databaseUrl: string, secrets: readonly string[] = []): Promise<string[]> {
  return connected(databaseUrl, async (query) => {
    const found: string[] = [];
    for (const { name, query: text } of INVARIANTS) {
      const bad = await query(text);
      if (bad.length > 0) found.push(`${name}: ${JSON.stringify(bad.slice(0, 5))}`);
    }
    for (const secret of secrets) found.push(...(await readable(query, secret)));
    return found;
  });
}

/** Tables in which a secret can be read as text (invariant I10). */
async function readable(query: Query, secret: string): Promise<string[]> {
  const tables = await query<{ table: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS table FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  for (const { table } of tables) {
    const [hit] = await query(`SELECT 1 AS hit FROM ${table} t WHERE position($1 in t::text) > 0 LIMIT 1`, [secret]);
    if (hit) found.push(`I10: a secret is readable in ${table}`);
  }
  return found;
}
