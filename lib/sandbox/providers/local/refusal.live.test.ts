import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLocalProvider } from "./provider";
import { App } from "./testing/app";
import { localOptions, makeStateDir } from "./testing/local-target";

/** Becomes root of a user namespace in which no further one may be made, as on a hardened host. */
const WITHOUT_NAMESPACES = [
  ...["unshare", "--user", "--map-root-user", "--mount", "--", "/bin/sh", "-c"],
  ...['echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"', "sh"],
];

describe("a host that cannot isolate is refused, with advice", { timeout: 60_000 }, () => {
  let stateDir: string;
  let remove: () => Promise<void>;

  beforeEach(async () => {
    ({ stateDir, remove } = await makeStateDir());
  });

  afterEach(() => remove());

  it("when user namespaces are forbidden", async () => {
    const app = new App(stateDir, WITHOUT_NAMESPACES);
    try {
      await expect(app.call("recover")).rejects.toThrow(
        /cannot isolate[\s\S]*max_user_namespaces[\s\S]*npm run doctor/,
      );
      await expect(app.call("create", "a")).rejects.toThrow(/npm run doctor/);
      expect(await readdir(path.join(stateDir, "sb"))).toEqual([]);
      expect(await readdir(path.join(stateDir, "new"))).toEqual([]);
    } finally {
      await app.crash();
    }
  });

  it("when the agent is missing", async () => {
    const provider = createLocalProvider({ ...localOptions(stateDir), agentPath: "/nonexistent/agent.cjs" });
    await expect(provider.recover()).rejects.toMatchObject({ kind: "permanent", reason: "host_cannot_isolate" });
    expect(existsSync(path.join(stateDir, "sb"))).toBe(false);
    await provider.close();
  });

  it("when the Node given to sandboxes does not run there", async () => {
    const provider = createLocalProvider({ ...localOptions(stateDir), nodePath: "/etc/hostname" });
    await expect(provider.recover()).rejects.toMatchObject({
      kind: "permanent",
      reason: "host_cannot_isolate",
      message: expect.stringContaining("npm run doctor"),
    });
    await provider.close();
  });
});
