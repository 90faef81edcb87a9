import type { Db } from "@/lib/db/client";
import type { Listener } from "@/lib/db/listen";
import type { Env } from "@/lib/env";
import type { Log } from "@/lib/kernel/log";
import type { ModelCatalog } from "@/lib/model/port";
import type { SandboxProvider } from "@/lib/sandbox/provider";
import type { Vault } from "@/lib/secrets/vault";

/** What services work with. Made once per process by the composition root (`runtime.ts`), passed as the first argument. */
export interface Deps {
  readonly env: Env;
  readonly db: Db;
  readonly listener: Listener;
  readonly provider: SandboxProvider;
  readonly models: ModelCatalog;
  readonly vault: Vault;
  readonly log: Log;
  /** `host/pid/start time` of this process. */
  readonly owner: string;
  readonly hostId: string;
  /** How many sandboxes a user may have in use. */
  readonly maxActive: number;
}
