// The production build, made again only when something that goes into it changed.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { weighFirstLoad } from "./first-load.mjs";
import { environmentWithNode } from "./npm.mjs";
import { run, tailOf } from "./processes.mjs";
import { SetupError } from "./progress.mjs";

const FOLDERS = ["app", "components", "lib", "hooks", "drizzle", "public"];
const FILES = [
  ...[
    "next.config.ts",
    "next.config.mjs",
    "proxy.ts",
    "instrumentation.ts",
    "instrumentation-client.ts",
    "mdx-components.tsx",
  ],
  ...["tsconfig.json", "postcss.config.mjs", "postcss.config.js", "package.json", "package-lock.json"],
];
/** Made by the build itself, or never part of it. */
const NO_SOURCE = /(^|\/)\.well-known(\/|$)|\.(test|e2e|bench)\.tsx?$/;

/** @param {string} root @returns {string[]} every file that goes into the build, in a fixed order */
function sourcesOf(root) {
  const found = FILES.filter((file) => existsSync(join(root, file)));
  const walk = (folder) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (NO_SOURCE.test(path)) continue;
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) found.push(path);
    }
  };
  for (const folder of FOLDERS) if (existsSync(join(root, folder))) walk(folder);
  return found.sort();
}

/** @param {string} root @returns {string} SHA-256 of the sources, the lock and the major version of Node */
export function buildStamp(root) {
  const hash = createHash("sha256");
  for (const path of sourcesOf(root)) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.update(`node ${process.versions.node.split(".")[0]}`).digest("hex");
}

/** Nothing from the environment is read at build time (design.md, section 8): settings and secrets stay out of it. */
function buildEnvironment() {
  const env = environmentWithNode();
  for (const name of Object.keys(env))
    if (/^(DORMOUSE_|WORKFLOW_|PG|npm_|NEXT_)/.test(name) || name === "DATABASE_URL") delete env[name];
  return { ...env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
}

/**
 * Builds the app into `.next` unless the build there is of these sources. The stamp is taken away first and written
 * last, so a build that was interrupted is made again.
 * @param {{ root: string, progress: import("./progress.mjs").Progress }} options
 * @throws {SetupError} with what the compiler said
 */
export async function buildApp({ root, progress }) {
  const stampFile = join(root, ".dormouse", "built");
  const stamp = buildStamp(root);
  const have = existsSync(stampFile) ? readFileSync(stampFile, "utf8").trim() : "";
  if (have === stamp && existsSync(join(root, ".next", "BUILD_ID"))) {
    progress.say("build", "up to date");
    return;
  }
  rmSync(stampFile, { force: true });
  const logFile = join(root, ".dormouse", "build.log");
  rmSync(logFile, { force: true });
  const next = join(root, "node_modules", "next", "dist", "bin", "next");
  await progress.run("build", "building the app (about a minute or two)", async () => {
    const { code } = await run(process.execPath, [next, "build"], { cwd: root, logFile, env: buildEnvironment() });
    if (code === 0) return;
    const said = tailOf(logFile);
    if (/ENOSPC/.test(said)) throw new SetupError(`The disk of ${root} is full. Free some space and start again.`);
    throw new SetupError(`The build failed. The end of ${logFile}:\n\n${said.trim()}`);
  });
  progress.say("build", weighFirstLoad(root).line);
  writeFileSync(stampFile, `${stamp}\n`);
}
