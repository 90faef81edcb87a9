import path from "node:path";
import { defineConfig } from "vitest/config";

const root = path.resolve(import.meta.dirname, "../..");

/** A real browser on the production build. */
export default defineConfig({
  root,
  resolve: { alias: { "@": root } },
  test: {
    include: ["**/*.e2e.ts"],
    exclude: ["node_modules/**", ".next/**", ".dormouse/**"],
    globalSetup: ["tests/harness/global-database.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
  },
});
