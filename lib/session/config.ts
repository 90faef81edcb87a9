import type { Deps } from "@/lib/deps";
import type { ConfigView } from "./contract";

/** What the page needs to know of the deployment, and the models that the user can choose. */
export async function readConfig(deps: Deps, userId: string): Promise<ConfigView> {
  const { env, models, provider } = deps;
  return {
    models: [...(await models.list(userId))],
    defaultModel: await models.defaultRef(userId),
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
