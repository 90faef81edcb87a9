// What a checkout needs before anything of it runs. Two starts in one checkout do it one after the other.
import { join } from "node:path";
import { installPackages } from "./install.mjs";
import { withLock } from "./lock.mjs";

/**
 * Runs `work` alone in this checkout.
 * @template T
 * @param {{ root: string, progress: import("./progress.mjs").Progress }} options
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export function aloneInCheckout({ root, progress }, work) {
  const onWait = () => progress.say("setup", "waiting for another start in this folder …");
  return withLock(join(root, ".dormouse", "setup.lock"), onWait, work);
}

/**
 * The locked packages and what the host must bring.
 * @param {{ root: string, dataDir: string, progress: import("./progress.mjs").Progress }} options
 */
export async function setUp({ root, dataDir, progress }) {
  await aloneInCheckout({ root, progress }, async () => {
    await installPackages({ root, progress });
    const { checkHost } = await import("./host.mjs");
    await checkHost({ root, dataDir, progress });
  });
}
