import path from "node:path";
import { defineConfig } from "vitest/config";

const root = path.resolve(import.meta.dirname, "../..");

/** A real browser on the production build: one server for all files (global-setup.ts), a user of its own for each. */
export default defineConfig({
  root,
  resolve: { alias: { "@": root } },
  test: {
    include: ["tests/e2e/**/*.e2e.ts"],
    globalSetup: ["tests/harness/global-database.ts", "tests/e2e/global-setup.ts"],
    // As long as a locator waits by itself.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Real browsers on a machine that may be busy: one second chance in CI, none on a desk.
    retry: process.env.CI ? 1 : 0,
    maxWorkers: 2,
  },
});
