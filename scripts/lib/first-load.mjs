// How much JavaScript a page needs before it comes to life.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { SetupError } from "./progress.mjs";

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
 * @param {string} root @returns {string} one line for a person
 * @throws {SetupError} when the session page has become too heavy
 */
export function checkFirstLoad(root) {
  const bytes = firstLoadBytes(join(root, ".next"), SESSION_PAGE);
  const line = `session page: ${Math.round(bytes / 1_000)} kB of JavaScript at first (gzip, at most ${MOST_BYTES / 1_000} kB)`;
  if (bytes > MOST_BYTES) throw new SetupError(`The build is too heavy. ${line}`);
  return line;
}
