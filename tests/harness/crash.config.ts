import path from "node:path";
import { defineConfig } from "vitest/config";

const root = path.resolve(import.meta.dirname, "../..");

/** Real processes that are killed and started again. */
export default defineConfig({
  root,
  resolve: { alias: { "@": root } },
  test: {
    include: ["**/*.crash.test.{ts,mjs}"],
    exclude: ["node_modules/**", ".next/**", ".dormouse/**"],
    globalSetup: ["tests/harness/global-database.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Real processes on a machine that may be busy: one second chance in CI, none on a desk.
    retry: process.env.CI ? 1 : 0,
    maxWorkers: 2,
  },
});
