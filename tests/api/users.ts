import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

const root = path.resolve(import.meta.dirname, "../..");

/** Makes another user of a running deployment with `npm run user -- add <name>` and gives the printed token. */
export async function addUser(server: { dataDir: string; databaseUrl: string }, name: string): Promise<string> {
  const env = { ...process.env, DORMOUSE_DATA_DIR: server.dataDir, DATABASE_URL: server.databaseUrl };
  const { stdout } = await promisify(execFile)("npm", ["run", "--silent", "user", "--", "add", name], {
    cwd: root,
    env,
    timeout: 60_000,
  });
  const token = stdout.match(/[A-Za-z0-9_.-]{20,}/g)?.at(-1);
  if (!token) throw new Error(`no token in the output of the user command: ${stdout}`);
  return token;
}
