import path from "node:path";
import { defineConfig } from "vitest/config";

const NEVER = ["node_modules/**", ".next/**", ".dormouse/**"];
/** Suites that need more than this process; each has a project or a configuration of its own. */
const NOT_PURE = ["**/*.{db,live,crash,api}.test.*"];

// Suites with servers of their own: tests/api/vitest.config.ts, tests/harness/crash.config.ts, tests/harness/e2e.config.ts.
export default defineConfig({
  resolve: { alias: { "@": path.resolve(import.meta.dirname) } },
  test: {
    passWithNoTests: false,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["**/*.test.{ts,tsx,mjs}"],
          exclude: [...NEVER, ...NOT_PURE],
          // They share nothing that one could leave behind for another.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "db",
          include: ["**/*.db.test.{ts,mjs}"],
          exclude: NEVER,
          globalSetup: ["tests/harness/global-database.ts"],
          testTimeout: 90_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "live",
          include: ["**/*.live.test.{ts,mjs}"],
          exclude: NEVER,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          retry: process.env.CI ? 1 : 0,
        },
      },
    ],
  },
});
