import path from "node:path";
import { defineConfig } from "vitest/config";

const root = path.resolve(import.meta.dirname, "../..");

/** The black-box suite over HTTP: two servers for all files (global-setup.ts), scenarios side by side inside them. */
export default defineConfig({
  root,
  resolve: { alias: { "@": root } },
  test: {
    include: ["tests/api/**/*.api.test.ts"],
    globalSetup: ["tests/harness/global-database.ts", "tests/api/global-setup.ts"],
    testTimeout: 400_000,
    hookTimeout: 400_000,
    // Real processes on a machine that may be busy: one second chance in CI, none on a desk.
    retry: process.env.CI ? 1 : 0,
    maxWorkers: 2,
    sequence: { concurrent: true },
    maxConcurrency: 4,
  },
});
