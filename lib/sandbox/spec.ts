import type { Deps } from "@/lib/deps";
import { DEFAULT_LIMITS, type SandboxSpec } from "./provider";
import { providerId, type SandboxRow } from "./store";

/** What a sandbox is made and resumed with. No secret is ever in it: the git gateway adds tokens outside. */
export function specOf(deps: Pick<Deps, "env">, row: SandboxRow): SandboxSpec {
  return {
    id: providerId(row),
    limits: DEFAULT_LIMITS,
    network: { allow: deps.env.egressAllow, gitRemote: row.gitRemote },
    env: {},
  };
}
