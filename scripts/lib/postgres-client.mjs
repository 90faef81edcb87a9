// Short conversations with a Postgres. `pg` is loaded when it is needed: it is not there before the first install.

/**
 * Connects, runs `work`, and disconnects.
 * @template T
 * @param {string} url
 * @param {(client: import("pg").Client) => Promise<T>} work
 * @param {number} [timeoutMs] for connecting
 * @returns {Promise<T>}
 */
export async function withClient(url, work, timeoutMs = 5_000) {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeoutMs });
  // A connection cut while idle is reported by the next query; without a listener it would end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * @param {string} url
 * @returns {Promise<{ ok: true } | { ok: false, code: string }>} code is an SQLSTATE such as `57P03` (starting up) or
 *   `28P01` (wrong password), or that of the socket such as `ECONNREFUSED`
 */
export async function probe(url) {
  try {
    await withClient(url, (client) => client.query("select 1"), 2_000);
    return { ok: true };
  } catch (error) {
    return { ok: false, code: String(error.code ?? error.message) };
  }
}

/**
 * @param {string} adminUrl of any database of that server
 * @param {string} name letters, digits and underscores
 * @returns {Promise<string>} the URL of the database, made if it was missing
 */
export async function ensureDatabase(adminUrl, name) {
  await withClient(adminUrl, async (client) => {
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [name]);
    if (!rowCount) await client.query(`create database ${client.escapeIdentifier(name)}`);
  });
  return databaseUrl(adminUrl, name);
}

/** @param {string} url @param {string} name @returns {string} the same server and user, another database */
export function databaseUrl(url, name) {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}
