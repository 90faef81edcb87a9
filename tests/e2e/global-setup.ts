import type { TestProject } from "vitest/node";
import { startDormouse } from "@/tests/harness/server";

/** The server of the suite, as the test files see it. */
export interface Served {
  readonly url: string;
  readonly token: string;
  readonly databaseUrl: string;
  readonly dataDir: string;
}

declare module "vitest" {
  interface ProvidedContext {
    server: Served;
  }
}

/** Sandboxes that a user may have in use; one story goes beyond it. */
export const MAX_ACTIVE = 4;

/** Starts the one server of the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startDormouse({
    env: { DORMOUSE_CREATE_LIMIT: "100000/60", DORMOUSE_MAX_ACTIVE: String(MAX_ACTIVE) },
  });
  const { url, token, databaseUrl, dataDir } = server;
  project.provide("server", { url, token, databaseUrl, dataDir });
  return () => server.stop();
}
