// npm, run by the Node that runs us, so that packages are chosen for that Node.
import { existsSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { run, tailOf } from "./processes.mjs";
import { SetupError } from "./progress.mjs";

const ATTEMPTS = 3;
/** What npm says when the network, not the request, is at fault. */
const NETWORK_FAULT =
  /ECONNRESET|ECONNREFUSED|ETIMEDOUT|ESOCKETTIMEDOUT|EAI_AGAIN|ENOTFOUND|ENETUNREACH|EPIPE|ERR_SOCKET_TIMEOUT|network|\b(429|502|503|504)\b|EINTEGRITY/i;

/** @returns {string} the JavaScript file of npm: the one that started us, the one beside Node, the one on the PATH */
function findNpm() {
  const beside = join(dirname(dirname(process.execPath)), "lib", "node_modules", "npm", "bin", "npm-cli.js");
  const onPath = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "npm"));
  for (const candidate of [process.env.npm_execpath ?? "", beside, ...onPath]) {
    if (!candidate || !existsSync(candidate)) continue;
    const file = realpathSync(candidate);
    if (/npm-cli\.js$/.test(file)) return file;
  }
  throw new SetupError("npm was not found. Install it (it comes with Node) and start again.");
}

/** @returns {NodeJS.ProcessEnv} our environment, and a PATH on which `node` is the one that runs us */
export function environmentWithNode() {
  return { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ""}` };
}

/**
 * Runs npm; tries again when the network failed. What it says goes to a file and is shown when it fails.
 * The registry, proxies and certificates are those of the user's npm configuration.
 * @param {string[]} args
 * @param {{ cwd: string, logFile: string, say: (text: string) => void }} options
 */
export async function runNpm(args, { cwd, logFile, say }) {
  const npm = findNpm();
  mkdirSync(dirname(logFile), { recursive: true });
  for (let attempt = 1; ; attempt++) {
    rmSync(logFile, { force: true });
    const { code } = await run(process.execPath, [npm, ...args], { cwd, logFile, env: environmentWithNode() });
    if (code === 0) return;
    const said = tailOf(logFile);
    if (/ENOSPC/.test(said)) throw new SetupError(`The disk of ${cwd} is full. Free some space and start again.`);
    if (attempt < ATTEMPTS && NETWORK_FAULT.test(said)) {
      say(`the network failed, trying again (${attempt + 1} of ${ATTEMPTS})`);
      await delay(attempt * 3_000);
      continue;
    }
    // Behind a refused request npm prints its whole manual.
    const cause = said.replace(/^npm error Usage:[\s\S]*/m, "");
    throw new SetupError(`npm ${args[0]} failed. The end of ${logFile}:\n\n${cause.trim()}`);
  }
}
