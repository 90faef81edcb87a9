const NAMES = new Set([
  "package-lock.json",
  "npm-shrinkwrap.json",
  "yarn.lock",
  "pnpm-lock.yaml",
  "bun.lock",
  "bun.lockb",
  "deno.lock",
  "cargo.lock",
  "composer.lock",
  "gemfile.lock",
  "poetry.lock",
  "pipfile.lock",
  "uv.lock",
  "pdm.lock",
  "go.sum",
  "flake.lock",
  "mix.lock",
  "podfile.lock",
  "packages.lock.json",
  "gradle.lockfile",
]);
const FOLDERS = new Set(["dist", "build", "out", "node_modules", "vendor", "coverage", "__snapshots__", "target"]);
const ENDINGS =
  /(?:[.-]min\.(?:js|mjs|cjs|css)|\.(?:js|mjs|cjs|css)\.map|\.pb\.(?:go|cc|h)|_pb2\.py|\.(?:g|freezed)\.dart|\.snap|\.generated\.[a-z]+)$/;

/** Whether a file is written by a program, so that few want to read what changed in it: told by its name alone. Pure. */
export function isGenerated(path: string): boolean {
  const parts = path.toLowerCase().split("/");
  const name = parts.pop() ?? "";
  return NAMES.has(name) || ENDINGS.test(name) || parts.some((folder) => FOLDERS.has(folder));
}
