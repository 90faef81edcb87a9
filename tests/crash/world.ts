import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect } from "vitest";
import type { CrashPoint } from "@/lib/kernel/crash-points";
import { Client } from "@/tests/api/client";
import { poll } from "@/tests/api/poll";
import { isAlive, sandboxProcesses } from "@/tests/fixtures/processes";
import { rows } from "@/tests/fixtures/rows";
import { type Dormouse, startDormouse } from "@/tests/harness/server";
import { violations } from "./invariants";
import { orphans } from "./orphans";

/** One deployment over several lives of its process. */
export class World {
  #server: Dormouse | undefined;
  /** Sandboxes that existed at some time, so that what is left of deleted ones is noticed. */
  readonly #seen = new Set<string>();
  readonly #crashFile = path.join(os.tmpdir(), `dormouse-crash-at-${randomUUID()}`);

  get server(): Dormouse {
    if (!this.#server) throw new Error("the server has not been started");
    return this.#server;
  }

  get isUp(): boolean {
    return this.#server !== undefined && isAlive(this.#server.pid);
  }

  get api(): Client {
    return new Client(this.server.url, this.server.token);
  }

  /** Starts the process, again on the same data after the first time. No crash point is armed. */
  async boot(): Promise<Client> {
    await writeFile(this.#crashFile, "");
    if (this.#server) await this.#server.restart();
    else {
      this.#server = await startDormouse({
        env: {
          DORMOUSE_CREATE_LIMIT: "100000/60",
          DORMOUSE_MAX_ACTIVE: "100",
          DORMOUSE_CRASH_AT: `@${this.#crashFile}`,
        },
      });
    }
    return this.api;
  }

  /** From now on the running process dies when it comes to this point. */
  arm(point: CrashPoint): Promise<void> {
    return writeFile(this.#crashFile, point);
  }

  /** Waits until the process has died by itself. */
  async died(what: string, timeoutMs = 120_000): Promise<void> {
    const { pid } = this.server;
    await poll(
      async () => isAlive(pid),
      (alive) => !alive,
      { timeoutMs, everyMs: 50, what: `death at ${what}` },
    );
    expect(await this.server.exited).toBeDefined();
  }

  /** Kills the process without warning. */
  async kill(): Promise<void> {
    await this.note();
    await this.server.kill9();
  }

  /** Ends the process with a signal; gives how long that took, in milliseconds. */
  async signal(name: "SIGTERM" | "SIGINT"): Promise<number> {
    await this.note();
    const from = performance.now();
    process.kill(this.server.pid, name);
    await this.died(name, 40_000);
    return performance.now() - from;
  }

  sql<T extends Record<string, unknown>>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    return rows<T>(this.server.databaseUrl, text, values);
  }

  /** Remembers which sandboxes exist. */
  async note(): Promise<void> {
    const found = await this.sql<{ id: string }>("SELECT id || '-' || generation AS id FROM sandboxes");
    for (const { id } of found) this.#seen.add(id);
  }

  /** Waits until every invariant holds and nothing is left that no row knows; fails with what does not. */
  async converged(timeoutMs = 60_000): Promise<void> {
    await this.note();
    await poll(
      async () => [
        ...(await violations(this.server.databaseUrl, [this.server.token])),
        ...(await orphans(this.server.databaseUrl, this.server.dataDir, this.#seen)),
      ],
      (found) => found.length === 0,
      { timeoutMs, everyMs: 500, what: "invariants" },
    );
  }

  /** Adds to a failure what the server knew: its open rows and the end of its log. */
  async explain(error: unknown): Promise<void> {
    if (!(error instanceof Error) || !this.#server) return;
    const states = await Promise.all([
      this.sql(
        "SELECT id, state, wanted, wanted_reason, slot, retry_at, failures, exec, run_until, run_sleeps_until FROM sandboxes",
      ),
      this.sql("SELECT id, state, reason, attempt, failures, exec, lease_until, run_until FROM turns"),
      this.sql("SELECT id, status, attempt, run_until FROM start_tasks"),
    ]).catch((cause) => [String(cause)]);
    const log = this.#server.logs.trim().split("\n").slice(-15);
    error.message += `\n--- rows\n${states.map((rows) => JSON.stringify(rows)).join("\n")}\n--- log\n${log.join("\n")}`;
  }

  /** Ends everything that belongs to this world; its sandboxes are swept away, not sealed. */
  async end(): Promise<void> {
    await this.#server?.kill9();
    await this.#server?.stop();
    await rm(this.#crashFile, { force: true });
    expect(sandboxProcesses().filter(({ sandboxId }) => this.#seen.has(sandboxId))).toEqual([]);
  }
}

/** Runs one story in a world of its own. */
export async function inWorld(story: (world: World) => Promise<void>): Promise<void> {
  const world = new World();
  try {
    await story(world);
    await world.converged();
  } catch (error) {
    await world.explain(error);
    throw error;
  } finally {
    await world.end();
  }
}

/** Does something that the death of the server may cut off. */
export async function attempt<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (
      error instanceof TypeError ||
      (error instanceof Error && /fetch failed|terminated|ECONN|other side/.test(String(error.cause ?? error)))
    ) {
      return undefined;
    }
    throw error;
  }
}
