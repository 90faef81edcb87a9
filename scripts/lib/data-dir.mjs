// Where the state of one-machine mode lives.

import { randomBytes } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  readFileSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { SetupError } from "./progress.mjs";

/** Below this many free bytes nothing is started: a full disk costs work, a refusal costs a minute. */
const LEAST_FREE_BYTES = 1024 ** 3;

export const isRoot = process.getuid?.() === 0;

/**
 * `DORMOUSE_DATA_DIR`, else `/var/lib/dormouse` for root, else `$XDG_STATE_HOME/dormouse` (an empty variable counts as
 * unset, design.md section 8).
 * @param {NodeJS.ProcessEnv} env
 * @returns {string} an absolute path
 */
export function resolveDataDir(env) {
  if (env.DORMOUSE_DATA_DIR) return resolve(env.DORMOUSE_DATA_DIR);
  if (isRoot) return "/var/lib/dormouse";
  const stateHome = env.XDG_STATE_HOME;
  // The XDG rules say that a relative path is to be ignored.
  return join(stateHome && isAbsolute(stateHome) ? stateHome : join(homedir(), ".local", "state"), "dormouse");
}

/**
 * Makes the folder, closed to others, and checks that it can be used.
 * @param {string} dataDir
 */
export function ensureDataDir(dataDir) {
  const advice = "Choose another place: DORMOUSE_DATA_DIR=/some/folder npm start";
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error.code === "ENOSPC") throw diskFull(dataDir, 0);
    throw new SetupError(`The data directory ${dataDir} cannot be used (${error.code}). ${advice}`);
  }
  const owner = statSync(dataDir).uid;
  if (!isRoot && owner !== process.getuid?.())
    throw new SetupError(`The data directory ${dataDir} belongs to another user (id ${owner}). ${advice}`);
  if (owner === process.getuid?.()) chmodSync(dataDir, 0o700);
  requireFreeSpace(dataDir);
}

/** @param {string} folder @param {number} freeBytes */
function diskFull(folder, freeBytes) {
  const free = `${Math.floor(freeBytes / 1024 ** 2)} MB`;
  return new SetupError(
    `The disk of ${folder} is nearly full: ${free} free, 1 GB is needed. Free some space and start again.`,
  );
}

/** @param {string} folder @throws {SetupError} when less than 1 GB is free there */
export function requireFreeSpace(folder) {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < LEAST_FREE_BYTES) throw diskFull(folder, bavail * bsize);
}

/**
 * A secret that is made once and kept in a file that only its owner reads.
 * @param {string} path
 * @returns {string} 32 random bytes, base64url
 */
export function keptSecret(path) {
  try {
    const kept = readFileSync(path, "utf8").trim();
    if (kept) return kept;
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  const secret = randomBytes(32).toString("base64url");
  writeFileSync(path, `${secret}\n`, { mode: 0o600, flush: true });
  return secret;
}

/**
 * The token of the owner of one-machine mode (api.md, "Who").
 * @param {string} dataDir
 * @param {NodeJS.ProcessEnv} env
 * @returns {string} `DORMOUSE_TOKEN` if set, else the one kept in the data directory
 */
export function ownerToken(dataDir, env) {
  return env.DORMOUSE_TOKEN || keptSecret(join(dataDir, "owner-token"));
}
