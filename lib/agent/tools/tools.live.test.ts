import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "@/lib/sandbox/provider";
import { createLocalProvider } from "@/lib/sandbox/providers/local/provider";
import type { ToolSandbox } from "../testing/host-sandbox";
import { describeTools } from "../testing/tool-guarantees";
import { findTool } from "../toolbox";

async function createLocalSandbox(): Promise<ToolSandbox> {
  const stateDir = await mkdtemp(path.join(tmpdir(), "dormouse-tools-live-"));
  const provider = createLocalProvider({ stateDir, deployment: "tools-test", gateway: null, baseAllow: [] });
  const sandboxId = "tools";
  await provider.recover();
  await provider.create({
    id: sandboxId,
    limits: DEFAULT_LIMITS,
    network: { allow: [], gitRemote: null },
    env: {},
  });
  return {
    provider,
    sandboxId,
    close: async () => {
      await provider.destroy(sandboxId);
      await provider.close();
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}

describeTools("a local sandbox", createLocalSandbox);

describe("inside a sandbox, where paths are absolute", () => {
  let sandbox: ToolSandbox;
  beforeAll(async () => {
    sandbox = await createLocalSandbox();
  });
  afterAll(() => sandbox?.close());

  const call = (tool: string, input: unknown, toolCallId: string) =>
    findTool(tool)?.execute(input, {
      provider: sandbox.provider,
      sandboxId: sandbox.sandboxId,
      toolCallId,
      attempt: 1,
      sameBoot: true,
      signal: new AbortController().signal,
      onOutput: () => {},
      saveTodos: async () => {},
    });

  test("the exports of the setup script are set in every command, and say nothing themselves", async () => {
    await sandbox.provider.writeFile(
      sandbox.sandboxId,
      "/home/user/.dormouse/env.sh",
      "export FROM_SETUP='a \"b\"'\necho noise\n",
    );
    const result = await call("bash", { command: 'echo "$FROM_SETUP"; exit 4' }, "c1");
    expect(result).toMatchObject({ ok: true, output: { stdout: 'a "b"\n', stderr: "", exitCode: 4 } });
  });

  test("read, write and edit go through a symbolic link and leave it a link", async () => {
    await call("bash", { command: "echo one > real.txt; ln -s real.txt link.txt; ln -s /etc/hostname out.txt" }, "c2");
    expect(await call("edit", { path: "link.txt", oldString: "one", newString: "two" }, "c3")).toMatchObject({
      ok: true,
    });
    expect((await call("read", { path: "link.txt" }, "c4"))?.output.content).toBe("1\ttwo");
    await call("write", { path: "link.txt", content: "three\n" }, "c5");
    const shown = await call("bash", { command: "readlink link.txt; cat real.txt" }, "c6");
    expect(shown?.output.stdout).toBe("real.txt\nthree\n");
    expect(await call("write", { path: "out.txt", content: "x" }, "c7")).toMatchObject({
      ok: false,
      output: { error: "outside_workspace" },
    });
  });
});
