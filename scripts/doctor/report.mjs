// What a check of the doctor says.

/**
 * @typedef {object} Check
 * @property {string} name      stable, for scripts
 * @property {boolean} ok
 * @property {boolean} required a check that fails and is not required costs comfort, not safety
 * @property {string} message   what was found
 * @property {string} [fix]     what to type or change
 */

/** @param {string} name @param {string} message @returns {Check} */
export const pass = (name, message) => ({ name, ok: true, required: true, message });

/** @param {string} name @param {string} message @param {string} fix @returns {Check} */
export const fail = (name, message, fix) => ({ name, ok: false, required: true, message, fix });

/** @param {string} name @param {string} message @param {string} fix @returns {Check} */
export const warn = (name, message, fix) => ({ name, ok: false, required: false, message, fix });

/** One line per check, and one more with the remedy. @param {Check} check */
export function formatCheck({ name, ok, required, message, fix }) {
  const mark = ok ? "ok  " : required ? "FAIL" : "warn";
  return `${mark}  ${name.padEnd(16)}  ${message}${ok || !fix ? "" : `\n${" ".repeat(24)}fix: ${fix}`}`;
}
