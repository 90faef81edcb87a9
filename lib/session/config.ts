import type { Deps } from "@/lib/deps";
import type { ConfigView } from "./contract";

/** What the page needs to know of the deployment. */
export function readConfig(deps: Deps): ConfigView {
  const { env, models, provider } = deps;
  return {
    models: models
      .list()
      .map(({ ref, label, contextTokens, acceptsImages }) => ({ ref, label, contextTokens, acceptsImages })),
    defaultModel: env.model,
    limits: {
      maxActive: deps.maxActive,
      uploadMaxBytes: env.uploadMaxBytes,
      idleTimeoutSeconds: env.idleTimeoutSeconds,
      createLimit: env.createLimit ?? { count: 0, seconds: 0 },
    },
    sandbox: { provider: provider.name, capabilities: { ...provider.capabilities } },
    signIn: env.signIn,
    localRepos: env.allowLocalRepos,
    version: "0.1.0",
  };
}
