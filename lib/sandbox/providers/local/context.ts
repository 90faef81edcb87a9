import path from "node:path";
import type { GitGateway } from "@/lib/git/gateway";
import type { NetworkPolicy } from "@/lib/sandbox/provider";
import type { EgressListener, listenEgress } from "./egress/listen";
import { noProxyValue } from "./egress/policy";
import type { GitIdentity } from "./etc-files";
import type { Host } from "./host";
import type { SandboxPaths, StateLayout } from "./layout";
import { dialPort } from "./ports";

/** What every operation of the provider works with. */
export interface LocalContext {
  readonly layout: StateLayout;
  readonly host: Host;
  readonly deployment: string;
  readonly gitIdentity: GitIdentity;
  readonly egress: EgressRegistry;
  readonly log: (line: string) => void;
}

/** The egress listeners that this process serves, one per running sandbox. */
export class EgressRegistry {
  private readonly listeners = new Map<string, EgressListener>();

  constructor(
    private readonly listen: typeof listenEgress,
    private readonly gateway: GitGateway | null,
    private readonly baseAllow: readonly string[],
    private readonly log: (line: string) => void,
  ) {}

  /** Variables that tell clients inside what not to send to the proxy. */
  environment(policy: NetworkPolicy): Record<string, string> {
    const direct = noProxyValue([...this.baseAllow, ...policy.allow]);
    return { NO_PROXY: direct, no_proxy: direct };
  }

  /** Opens the listener of a sandbox, or changes the policy of the one that is open. */
  async serve(host: Host, paths: SandboxPaths, sandboxId: string, policy: NetworkPolicy): Promise<void> {
    const open = this.listeners.get(sandboxId);
    if (open) return open.setPolicy(policy);
    const listener = await this.listen({
      sandboxId,
      socketPath: path.join(paths.inside, "egress.sock"),
      policy,
      gateway: this.gateway,
      baseAllow: this.baseAllow,
      dialInside: (port) => dialPort(paths.run, port),
      ...(host.isRoot ? { socketOwner: host.runAs } : {}),
      onRefused: ({ destination, reason }) => this.log(`sandbox ${sandboxId}: refused ${destination} (${reason})`),
    });
    this.listeners.set(sandboxId, listener);
  }

  async stop(sandboxId: string): Promise<void> {
    const listener = this.listeners.get(sandboxId);
    this.listeners.delete(sandboxId);
    await listener?.close();
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.listeners.keys()].map((id) => this.stop(id)));
  }
}
