import path from "node:path";
import { defineConfig } from "vitest/config";

const root = path.resolve(import.meta.dirname, "../..");

/** `npm run bench`: one measurement after the other, nothing beside it. */
export default defineConfig({
  root,
  resolve: { alias: { "@": root } },
  test: {
    include: ["tests/bench/**/*.bench.ts"],
    globalSetup: ["tests/harness/global-database.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    retry: 0,
  },
});
