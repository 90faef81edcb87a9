// The suites of `npm test`, in the order in which they run: the quickest answers first.
import { existsSync } from "node:fs";
import { join } from "node:path";

const bin = (root, ...path) => join(root, "node_modules", ...path);

/**
 * @typedef {object} Suite
 * @property {string} name as in `npm test -- unit db`
 * @property {string} title
 * @property {number} limitMs after which it is ended and counts as failed
 * @property {"command" | "vitest" | "build"} kind
 * @property {(root: string) => string[][]} [commands] arguments of Node, run one after the other
 * @property {(root: string) => string[]} [vitest] arguments of `vitest run`
 * @property {RegExp} [files] the suite has nothing to run where no file is named like this
 * @property {string[]} [needs] names of a file that must exist, without which the suite is skipped
 * @property {boolean} [needsBuild]
 * @property {boolean} [needsBrowser]
 */

/** A suite with a configuration beside its tests, or else that of the harness. */
function ownConfig(name) {
  return (/** @type {string} */ root) => {
    const beside = join("tests", name, "vitest.config.ts");
    return ["--config", existsSync(join(root, beside)) ? beside : join("tests", "harness", `${name}.config.ts`)];
  };
}

const minutes = (/** @type {number} */ count) => count * 60_000;

/** @type {Suite[]} */
export const SUITES = [
  {
    name: "types",
    title: "types (tsc)",
    kind: "command",
    limitMs: minutes(5),
    commands: (root) => [
      // Writes the types of routes and style sheets, which a fresh clone lacks.
      [bin(root, "next", "dist", "bin", "next"), "typegen"],
      [bin(root, "typescript", "bin", "tsc"), "--noEmit", "-p", "."],
    ],
  },
  {
    name: "lint",
    title: "lint (biome)",
    kind: "command",
    limitMs: minutes(3),
    commands: (root) => [[bin(root, "@biomejs", "biome", "bin", "biome"), "check", "."]],
  },
  {
    name: "imports",
    title: "import law (dependency-cruiser)",
    kind: "command",
    limitMs: minutes(3),
    needs: [".dependency-cruiser.cjs"],
    commands: (root) => [
      [
        ...[bin(root, "dependency-cruiser", "bin", "dependency-cruiser.mjs"), "--config", ".dependency-cruiser.cjs"],
        ...["app", "components", "lib"].filter((folder) => existsSync(join(root, folder))),
      ],
    ],
  },
  {
    name: "unit",
    title: "unit",
    kind: "vitest",
    limitMs: minutes(8),
    files: /\.test\.(ts|tsx|mjs)$/,
    vitest: () => ["--project", "unit"],
  },
  {
    name: "db",
    title: "database",
    kind: "vitest",
    limitMs: minutes(8),
    files: /\.db\.test\.(ts|mjs)$/,
    vitest: () => ["--project", "db"],
  },
  {
    name: "live",
    title: "sandbox and processes, live",
    kind: "vitest",
    limitMs: minutes(20),
    files: /\.live\.test\.(ts|mjs)$/,
    vitest: () => ["--project", "live"],
  },
  { name: "build", title: "production build", kind: "build", limitMs: minutes(10) },
  {
    name: "api",
    title: "HTTP API",
    kind: "vitest",
    limitMs: minutes(20),
    files: /\.api\.test\.ts$/,
    needsBuild: true,
    vitest: ownConfig("api"),
  },
  {
    name: "crash",
    title: "crash and restart",
    kind: "vitest",
    limitMs: minutes(20),
    files: /\.crash\.test\.(ts|mjs)$/,
    needsBuild: true,
    vitest: ownConfig("crash"),
  },
  {
    name: "e2e",
    title: "browser",
    kind: "vitest",
    limitMs: minutes(20),
    files: /\.e2e\.ts$/,
    needsBuild: true,
    needsBrowser: true,
    vitest: ownConfig("e2e"),
  },
];
