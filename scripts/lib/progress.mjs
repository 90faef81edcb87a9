// What the person at the terminal sees while Dormouse sets itself up.

/** A failure that the person can act on: printed as its message alone, without a stack. */
export class SetupError extends Error {
  /** @param {string} message what happened and what to do, in plain words */
  constructor(message) {
    super(message);
    this.name = "SetupError";
  }
}

/** How often a long step says that it is still at work, in milliseconds. */
const HEARTBEAT_MS = 15_000;

/** @param {number} ms @returns {string} such as "0.4 s", "12 s" or "3 min 5 s" */
export function formatDuration(ms) {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 100 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * @typedef {object} Progress
 * @property {(step: string, text: string) => void} say prints one line of a step
 * @property {<T>(step: string, text: string, work: () => Promise<T>) => Promise<T>} run prints the line, then a
 *   sign of life every 15 s, then how long it took
 */

/**
 * Prints one line per thing that happens, each under the name of its step.
 * @param {(line: string) => void} [print]
 * @returns {Progress}
 */
export function createProgress(print = (line) => console.log(line)) {
  /** @type {Progress["say"]} */
  const say = (step, text) => print(`  ${step.padEnd(10)} ${text}`);
  return {
    say,
    async run(step, text, work) {
      const startedAt = Date.now();
      const elapsed = () => formatDuration(Date.now() - startedAt);
      say(step, `${text} …`);
      const heartbeat = setInterval(() => say(step, `still at it (${elapsed()})`), HEARTBEAT_MS);
      try {
        const result = await work();
        say(step, `done (${elapsed()})`);
        return result;
      } finally {
        clearInterval(heartbeat);
      }
    },
  };
}

/**
 * Ends a script that failed: one clear message for a `SetupError`, message and stack for a bug.
 * @param {unknown} error
 */
export function printFailure(error) {
  if (error instanceof SetupError) console.error(`\n${error.message}`);
  else console.error("\nDormouse ran into a fault of its own:", error);
}
