import path from "node:path";
import type { GitGateway } from "@/lib/git/gateway";
import type { listenEgress } from "./egress/listen";
import type { GitIdentity } from "./etc-files";

export interface LocalProviderOptions {
  /** Where everything of the sandboxes lies; on one file system, writable by this process, its own alone. */
  readonly stateDir: string;
  /** Only sandboxes with this label are listed, adopted or reaped. */
  readonly deployment: string;
  readonly gateway: GitGateway | null;
  /** What every sandbox may reach, on top of its own policy. */
  readonly baseAllow: readonly string[];
  readonly listenEgress?: typeof listenEgress;
  /** The in-sandbox agent; its folder is what is shown to the sandbox. Bundles do not contain it. */
  readonly agentPath?: string;
  /** The Node that sandboxes use. */
  readonly nodePath?: string;
  /** As root: the first uid to consider for sandboxes (the first unused one from here on is taken and kept). */
  readonly firstUid?: number;
  /** Who commits inside when a tool does not say. */
  readonly gitIdentity?: GitIdentity;
  readonly log?: (line: string) => void;
}

export const DEFAULT_FIRST_UID = 61_001;
export const DEFAULT_GIT_IDENTITY: GitIdentity = { name: "Dormouse", email: "dormouse@localhost" };

export function defaultAgentPath(): string {
  return path.join(process.cwd(), "lib/sandbox/providers/local/agent/agent.cjs");
}
