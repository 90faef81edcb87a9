// How much JavaScript a page needs before it comes to life.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";

/** The page that people keep open, and the most that it may load at first, in bytes after gzip. */
const SESSION_PAGE = "(app)/sessions/[sessionId]/chats/[chatId]";
const MOST_BYTES = 250_000;

/**
 * The scripts of a page by what `next build` wrote down: those of every page, and those of its own layouts, page and
 * error pages.
 * @param {string} next the `.next` folder @param {string} page its folder below `app`
 * @returns {string[]} paths below `.next`
 */
export function firstLoadFiles(next, page) {
  const { rootMainFiles } = JSON.parse(readFileSync(join(next, "build-manifest.json"), "utf8"));
  // A script of our own build that sets one variable.
  const context = { globalThis: /** @type {any} */ ({}) };
  runInNewContext(
    readFileSync(join(next, "server", "app", page, "page_client-reference-manifest.js"), "utf8"),
    context,
  );
  const [manifest] = Object.values(context.globalThis.__RSC_MANIFEST);
  return [...new Set([...rootMainFiles, ...Object.values(manifest.entryJSFiles).flat()])];
}

/** @param {string} next the `.next` folder @param {string} page @returns {number} bytes after gzip */
export function firstLoadBytes(next, page) {
  return firstLoadFiles(next, page)
    .map((file) => gzipSync(readFileSync(join(next, file))).length)
    .reduce((sum, bytes) => sum + bytes, 0);
}

/**
 * Weighs the session page. Too heavy is a failure of `npm test`, not of `npm start`: a person who starts Dormouse cannot
 * mend it.
 * @param {string} root @returns {{ line: string, tooHeavy: boolean }} one line for a person, and the verdict
 */
export function weighFirstLoad(root) {
  const bytes = firstLoadBytes(join(root, ".next"), SESSION_PAGE);
  const kilobytes = (/** @type {number} */ size) => `${Math.round(size / 1_000)} kB`;
  return {
    line: `session page: ${kilobytes(bytes)} of JavaScript at first (gzip; at most ${kilobytes(MOST_BYTES)})`,
    tooHeavy: bytes > MOST_BYTES,
  };
}
