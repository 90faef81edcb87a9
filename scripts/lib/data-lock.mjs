// One Dormouse per data directory.
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readHolder, takeLock } from "./lock.mjs";
import { identify, isAlive } from "./processes.mjs";
import { SetupError } from "./progress.mjs";

/** An install and a build of another start fit in. */
const WAIT_MS = 20 * 60_000;

/**
 * What `<data directory>/dormouse.lock` says. It stays there after a kill and tells the next start what was left.
 * @typedef {object} Holder
 * @property {number} pid
 * @property {string} startTime
 * @property {"starting" | "running" | "stopping"} phase
 * @property {string} [url] the link with its token
 * @property {string} [databaseUrl] for `npm run user` and other tools; the file is closed to others
 * @property {import("./processes.mjs").ProcessIdentity} [app]
 */

/**
 * @typedef {object} DataLock
 * @property {Holder | null} previous what an earlier holder left behind when it was killed
 * @property {(more: Partial<Holder>) => void} update
 * @property {() => void} release
 */

/**
 * Takes the data directory, or says which Dormouse runs on it. While another one is just starting
 * or stopping, it waits for the outcome.
 * @param {string} dataDir
 * @param {(text: string) => void} say
 * @returns {Promise<{ lock: DataLock } | { holder: Holder }>} the lock, or who runs there (phase "running")
 */
export async function takeDataDir(dataDir, say) {
  const path = join(dataDir, "dormouse.lock");
  const deadline = Date.now() + WAIT_MS;
  let said = false;
  for (;;) {
    const lock = await takeLock(path);
    const holder = /** @type {Holder | null} */ (readHolder(path));
    if (lock) {
      /** @type {Holder} */
      let now = { pid: process.pid, startTime: identify(process.pid)?.startTime ?? "", phase: "starting" };
      // What was left behind stays named until it is dealt with, should we be killed as well.
      if (holder?.app) now = { ...now, app: holder.app };
      lock.describe(now);
      return {
        lock: {
          previous: holder,
          update(more) {
            now = { ...now, ...more };
            lock.describe(now);
          },
          release: () => lock.release(),
        },
      };
    }
    // For a moment the file may still tell of a holder that was killed.
    if (holder?.phase === "running" && holder.url && isAlive(holder)) return { holder };
    if (Date.now() > deadline)
      throw new SetupError(
        `The data directory ${dataDir} is in use by process ${holder?.pid ?? "?"}, which does not get ready.`,
      );
    if (!said) say(`waiting for process ${holder?.pid ?? "?"}, which works on ${dataDir} …`);
    said = true;
    await delay(200);
  }
}
