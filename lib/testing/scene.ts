import { randomUUID } from "node:crypto";
import { sendMessage } from "@/lib/chat/send";
import type { AppError } from "@/lib/kernel/errors";
import { ok, type Result } from "@/lib/kernel/result";
import type { CreateSessionBody } from "@/lib/session/contract";
import { createSession } from "@/lib/session/create";
import { limitsOf } from "@/lib/session/service";
import type { TestDeps } from "./deps";
import { Driver } from "./driver";

/** The value of a success. @throws with the refusal */
export function must<T>(result: Result<T, AppError>): T {
  if (result.ok) return result.value;
  throw new Error(`refused: ${JSON.stringify(result.error)}`);
}

/** The code of a refusal, or null of a success. */
export function refusal(result: Result<unknown, AppError>): string | null {
  return result.ok ? null : result.error.code;
}

export interface SceneSession {
  readonly id: string;
  readonly chatId: string;
  readonly sandboxId: string;
  /** Id of its first generation at the provider. */
  readonly providerId: string;
}

interface SandboxColumns extends Record<string, unknown> {
  readonly state: string;
  readonly wanted: string;
  readonly slot: boolean;
  readonly generation: number;
  readonly kept_work: { readonly file: string } | null;
}

/** Sessions of one user on a test's own database, and what a test asks about them. */
export class Scene {
  readonly deps: TestDeps;
  readonly driver: Driver;

  constructor(deps: TestDeps) {
    this.deps = deps;
    this.driver = new Driver(deps);
  }

  async create(body: CreateSessionBody = {}): Promise<SceneSession> {
    const owner = { id: this.deps.userId, name: "Test" };
    const { view } = must(await createSession(this.deps, owner, body, async () => ok(null)));
    const [row] = await this.deps.query<{ sandbox_id: string }>("SELECT sandbox_id FROM sessions WHERE id = $1", [
      view.session.id,
    ]);
    const sandboxId = row?.sandbox_id ?? "";
    return { id: view.session.id, chatId: view.chat.id, sandboxId, providerId: `${sandboxId}-1` };
  }

  /** A session that is READY and, if it had a prompt, has answered it. */
  async ready(body: CreateSessionBody = {}): Promise<SceneSession> {
    const session = await this.create(body);
    await this.driver.settle();
    return session;
  }

  send(session: SceneSession, text: string, id: string = randomUUID(), files: string[] = []) {
    return sendMessage(this.deps, this.deps.userId, session.chatId, { id, text, files }, limitsOf);
  }

  async sandbox(session: SceneSession): Promise<SandboxColumns> {
    const [row] = await this.deps.query<SandboxColumns>(
      "SELECT state, wanted, slot, generation, kept_work FROM sandboxes WHERE id = $1",
      [session.sandboxId],
    );
    if (!row) throw new Error("the sandbox row is gone");
    return row;
  }

  async sandboxIs(session: SceneSession, state: string): Promise<boolean> {
    return (await this.sandbox(session)).state === state;
  }

  /** States of the turns of a chat, oldest first. */
  async turns(session: SceneSession): Promise<string[]> {
    const rows = await this.deps.query<{ state: string }>(
      "SELECT state FROM turns WHERE chat_id = $1 ORDER BY created_at, id",
      [session.chatId],
    );
    return rows.map((row) => row.state);
  }

  async startStatus(session: SceneSession): Promise<string> {
    const [row] = await this.deps.query<{ status: string }>(
      "SELECT status FROM start_tasks WHERE session_id = $1 ORDER BY generation DESC LIMIT 1",
      [session.id],
    );
    return row?.status ?? "none";
  }

  /** The idle time of a sandbox is over. */
  async becomeIdle(session: SceneSession): Promise<void> {
    await this.deps.query(
      `UPDATE sandboxes SET activity_at = clock_timestamp() - interval '1 year', run_id = NULL, run_sleeps_until = NULL
       WHERE id = $1 AND exec IS NULL`,
      [session.sandboxId],
    );
  }

  /** Whether some connection waits for a lock. */
  async somebodyWaits(): Promise<boolean> {
    const rows = await this.deps.query(
      "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
    );
    return rows.length > 0;
  }
}
