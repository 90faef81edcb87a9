// Runs a script of the crash tests as an app of its own, which the test then kills: `node app-process.mjs <script.ts>`.
// Node removes the types itself; what it does not know is how this repository writes its imports.
import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = process.cwd();

registerHooks({
  resolve(specifier, context, next) {
    const base = specifier.startsWith("@/")
      ? path.join(root, specifier.slice(2))
      : specifier.startsWith(".") && context.parentURL?.startsWith("file:")
        ? path.resolve(path.dirname(fileURLToPath(context.parentURL)), specifier)
        : null;
    if (base && existsSync(`${base}.ts`)) return next(pathToFileURL(`${base}.ts`).href, context);
    return next(specifier, context);
  },
});

await import(pathToFileURL(path.resolve(process.argv[2])).href);
