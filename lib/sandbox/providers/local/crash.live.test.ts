import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "@/lib/sandbox/conformance";
import { DEFAULT_LIMITS, type SandboxProvider, type SandboxSpec } from "@/lib/sandbox/provider";
import { type StateLayout, stateLayout } from "./layout";
import { findMarked } from "./process-table";
import { createLocalProvider } from "./provider";
import { readState } from "./records";
import { App } from "./testing/app";
import { DEPLOYMENT, localOptions, makeStateDir, traces } from "./testing/local-target";

const spec = (id: string): SandboxSpec => ({
  id,
  limits: DEFAULT_LIMITS,
  network: { allow: [], gitRemote: null },
  env: {},
});

describe("after the app was killed with SIGKILL", { timeout: 300_000 }, () => {
  let stateDir: string;
  let layout: StateLayout;
  let removeState: () => Promise<void>;
  let provider: SandboxProvider;
  let app: App;

  beforeEach(async () => {
    ({ stateDir, remove: removeState } = await makeStateDir());
    layout = stateLayout(stateDir, DEPLOYMENT);
    provider = createLocalProvider(localOptions(stateDir));
    app = new App(stateDir);
    await app.call("recover");
  });

  afterEach(async () => {
    await app.crash();
    await provider.recover();
    for (const { id } of await provider.list()) await provider.destroy(id);
    await provider.close();
    expect(await findMarked(layout.tag)).toEqual([]);
    expect(traces(stateDir)).toEqual([]);
    expect(await attachedImages(stateDir)).toEqual([]);
    for (const folder of [layout.sandboxes, layout.nursery, layout.trash]) expect(await readdir(folder)).toEqual([]);
    await removeState();
  });

  it("a command's whole output and exit are there, and the egress is served again", async () => {
    await app.call("create", "a");
    await app.call("spawn", "a", "echo before; sleep 1; echo after; exit 9");
    await app.crash();
    await provider.recover();
    const said: string[] = [];
    for await (const event of provider.attach("a", "c")) {
      said.push(event.type === "output" ? Buffer.from(event.bytes).toString() : `exit ${event.exitCode}`);
    }
    expect(said.join("")).toBe("before\nafter\nexit 9");
    const proxied = await provider.exec("a", {
      command: "curl -s -o /dev/null -w '%{http_code}' http://refused.example/ || true",
      timeoutMs: 20_000,
    });
    expect(proxied.stdout.toString()).toBe("403");
  });

  it.each(["create", "hibernate", "resume", "fork", "destroy"])(
    "a half-done %s is finished or undone",
    async (operation) => {
      await app.call("create", "a");
      await app.call("run", "a", "mkdir -p tree && echo kept > tree/f && sync");
      if (operation === "resume" || operation === "fork") await app.call("hibernate", "a");
      const id = operation === "create" ? "b" : "a";
      // Every moment of the operation is a place to die; each round dies a little later.
      for (const afterMs of [0, 60, 150, 300]) {
        app.begin(operation, id, "b");
        await new Promise((resolve) => setTimeout(resolve, afterMs));
        await app.crash();
        await provider.recover();
        const states = new Map((await provider.list()).map((peek) => [peek.id, peek.state]));
        expect(await orphans(layout, states)).toEqual([]);
        expect(await readdir(layout.nursery)).toEqual([]);
        expect(await readdir(layout.trash)).toEqual([]);
        if (operation === "destroy" && !states.has("a")) await provider.create(spec("a"));
        else {
          if (states.get("a") === "hibernated") await provider.resume(spec("a"));
          const kept = await provider.readFile("a", "/workspace/tree/f").catch(() => null);
          if (operation !== "destroy") expect(kept?.bytes.toString()).toBe("kept\n");
        }
        if (states.has("b")) {
          await provider.create(spec("b"));
          if (operation === "fork") {
            expect((await provider.readFile("b", "/workspace/tree/f")).bytes.toString()).toBe("kept\n");
          }
          await provider.destroy("b");
        }
        if (operation === "resume" || operation === "fork") await provider.hibernate("a");
        await provider.close();
        provider = createLocalProvider(localOptions(stateDir));
        app = new App(stateDir);
        await app.call("recover");
      }
    },
  );

  it("a hibernation that had begun is finished by recovery", async () => {
    await app.call("create", "a");
    await app.crash();
    const paths = layout.sandbox("a");
    await import("./records").then(({ writeIntent }) => writeIntent(paths));
    await provider.recover();
    expect((await provider.peek("a")).state).toBe("hibernated");
    expect(JSON.parse(await readFile(paths.seal, "utf8")).id).toBe("a");
    expect(existsSync(paths.intent)).toBe(false);
  });

  it("processes whose records are gone are ended", async () => {
    await app.call("create", "a");
    await app.crash();
    const hidden = path.join(stateDir, "hidden");
    await mkdir(hidden);
    await rename(layout.sandbox("a").root, path.join(hidden, "a"));
    await provider.recover();
    await eventually(async () => (await findMarked(layout.tag)).length === 0);
    expect((await provider.peek("a")).state).toBe("missing");
    await rm(hidden, { recursive: true });
  });

  it("a sandbox whose agent was killed meanwhile is not adopted but stopped, with its files kept", async () => {
    await app.call("create", "a");
    await app.call("run", "a", "echo kept > f; sync");
    await app.crash();
    const boot = (await readState(layout.sandbox("a")))?.boot;
    const inside = await import("./stats").then(({ processesByInit }) => processesByInit([boot?.init.pid ?? 0]));
    for (const { pid } of [...inside.values()].flat()) if (pid !== boot?.init.pid) process.kill(pid, "SIGKILL");
    await provider.recover();
    expect((await provider.peek("a")).state).toBe("hibernated");
    await provider.resume(spec("a"));
    expect((await provider.readFile("a", "/workspace/f")).bytes.toString()).toBe("kept\n");
  });
});

async function orphans(layout: StateLayout, states: ReadonlyMap<string, string>): Promise<string[]> {
  const marked = await findMarked(layout.tag);
  return marked.flatMap(({ id, pid }) => (states.get(id) === "running" ? [] : [`${id}: ${pid}`]));
}

async function attachedImages(needle: string): Promise<string[]> {
  const found: string[] = [];
  for (const device of await readdir("/sys/block")) {
    const file = await readFile(`/sys/block/${device}/loop/backing_file`, "utf8").catch(() => "");
    if (file.includes(needle)) found.push(file);
  }
  return found;
}
