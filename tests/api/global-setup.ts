import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { startGitHttpServer } from "@/lib/git/testing/git-http-server";
import { startDormouse } from "@/tests/harness/server";
import { addUser } from "./users";

/** A server under test, as the test files see it. */
export interface Served {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  readonly dataDir: string;
  readonly databaseUrl: string;
}

/** A git host that asks for a password; the main server has it for one of the two only. */
export interface Forge {
  readonly url: string;
  /** Every bare repository in this folder is served as `<url>/<name>`. */
  readonly root: string;
  readonly password: string;
}

declare module "vitest" {
  interface ProvidedContext {
    /** Generous limits; all files share it. `otherToken` belongs to a second user. */
    main: Served & { otherToken: string };
    /** Two sandboxes in use per user, six creations an hour. */
    small: Served;
    forge: Forge;
    /** The main server may reach it but holds no password for it. */
    closedForge: Forge;
  }
}

export const TOOLS_ORIGIN = "https://tools.example";

async function startForge(password: string): Promise<Forge & { host: string; close(): Promise<void> }> {
  const root = await mkdtemp(path.join(os.tmpdir(), "dormouse-forge-"));
  const server = await startGitHttpServer({ root, token: password });
  return {
    url: server.url,
    root,
    password,
    host: `127.0.0.1:${server.port}`,
    async close() {
      await server.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Starts both servers and both git hosts once for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const forge = await startForge("canary-git-token-1");
  const closedForge = await startForge("canary-git-token-2");
  const { main, small } = await startServers(forge, closedForge).catch(async (error) => {
    await Promise.all([forge.close(), closedForge.close()]);
    throw error;
  });
  project.provide("main", { ...served(main), otherToken: await addUser(main, "other") });
  project.provide("small", served(small));
  for (const [name, { url, root, password }] of [
    ["forge", forge],
    ["closedForge", closedForge],
  ] as const) {
    project.provide(name, { url, root, password });
  }
  return async () => {
    await Promise.all([main.stop(), small.stop(), forge.close(), closedForge.close()]);
  };
}

function served({ url, token, pid, dataDir, databaseUrl }: Served): Served {
  return { url, token, pid, dataDir, databaseUrl };
}

async function startServers(forge: { host: string; password: string }, closedForge: { host: string }) {
  const main = await startDormouse({
    env: {
      DORMOUSE_ALLOWED_ORIGINS: TOOLS_ORIGIN,
      // One file sets up a provider, whose models would be the default for all.
      DORMOUSE_MODEL: "demo/demo",
      DORMOUSE_CREATE_LIMIT: "100000/60",
      DORMOUSE_MAX_ACTIVE: "200",
      DORMOUSE_UPLOAD_MAX_MB: "1",
      DORMOUSE_EGRESS_ALLOW: `${forge.host},${closedForge.host}`,
      DORMOUSE_GIT_TOKENS: `${forge.host}=${forge.password}`,
    },
  });
  const small = await startDormouse({
    env: { DORMOUSE_CREATE_LIMIT: "6/3600", DORMOUSE_MAX_ACTIVE: "2" },
  }).catch(async (error) => {
    await main.stop();
    throw error;
  });
  return { main, small };
}
