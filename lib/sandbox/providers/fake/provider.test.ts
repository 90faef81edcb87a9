import assert from "node:assert/strict";
import { describe, expect, it } from "vitest";
import { type ConformanceTarget, conformanceScenarios, ScenarioContext } from "@/lib/sandbox/conformance";
import { SandboxError } from "@/lib/sandbox/errors";
import { DEFAULT_LIMITS, type SandboxSpec } from "@/lib/sandbox/provider";
import { createFakeProvider } from "./provider";

const spec: SandboxSpec = { id: "a", limits: DEFAULT_LIMITS, network: { allow: [], gitRemote: null }, env: {} };

function target(): ConformanceTarget {
  const provider = createFakeProvider();
  return {
    provider,
    traits: new Set(),
    lose: async (id) => provider.lose(id),
    damage: async (id) => provider.damageSnapshot(id),
    restartApp: async () => provider,
  };
}

describe("the fake provider keeps the promises of the port", () => {
  for (const scenario of conformanceScenarios) {
    const missing = scenario.needs.filter((trait) => !target().traits.has(trait));
    it.skipIf(missing.length > 0)(
      `${scenario.name}${missing.length > 0 ? ` (lacks ${missing.join(", ")})` : ""}`,
      async () => {
        await scenario.run(new ScenarioContext(target(), "c"));
      },
    );
  }

  it("leaves out only what needs a real machine", () => {
    const left = conformanceScenarios.filter(({ needs }) => needs.length > 0);
    expect(left.every(({ needs }) => needs.includes("shell") || needs.includes("keeps-files-when-lost"))).toBe(true);
  });
});

describe("the fault script", () => {
  it("fails an operation before its effect", async () => {
    const fake = createFakeProvider();
    fake.faults.push({ op: "create", times: 2, error: new SandboxError("transient", "no") });
    await expect(fake.create(spec)).rejects.toMatchObject({ kind: "transient" });
    await expect(fake.create(spec)).rejects.toMatchObject({ kind: "transient" });
    expect((await fake.peek("a")).state).toBe("missing");
    await fake.create(spec);
    expect(fake.faults.pending).toBe(0);
  });

  it("loses the answer of an operation that took place", async () => {
    const fake = createFakeProvider();
    fake.faults.push({ op: "create", error: new SandboxError("unknown_outcome", "lost"), afterEffect: true });
    await expect(fake.create(spec)).rejects.toMatchObject({ kind: "unknown_outcome" });
    expect((await fake.peek("a")).state).toBe("running");
  });

  it("hangs an operation until it is released", async () => {
    const fake = createFakeProvider();
    const gate = Promise.withResolvers<void>();
    fake.faults.push({ op: "create", id: "a", until: gate.promise });
    const creating = fake.create(spec);
    await fake.create({ ...spec, id: "b" });
    expect((await fake.peek("a")).state).toBe("missing");
    gate.resolve();
    await creating;
    expect((await fake.peek("a")).state).toBe("running");
  });

  it("counts every call, those that failed included", async () => {
    const fake = createFakeProvider();
    fake.faults.push({ op: "create", error: new SandboxError("transient", "no") });
    await fake.create(spec).catch(() => {});
    await fake.create(spec);
    expect(fake.calls.filter(({ op }) => op === "create")).toHaveLength(2);
  });
});

describe("what a test can make a fake sandbox do", () => {
  it("runs a program of the test in place of a command", async () => {
    const fake = createFakeProvider();
    fake.respond(/^git /, ({ write }, line) => {
      write("stdout", `ran ${line}`);
      return 5;
    });
    await fake.create(spec);
    const result = await fake.exec("a", { command: ["git", "status"] });
    expect([result.exitCode, result.stdout.toString()]).toEqual([5, "ran git status"]);
  });

  it("answers on a port", async () => {
    const fake = createFakeProvider();
    await fake.create(spec);
    fake.listen("a", 3000, (connection) => {
      connection.on("data", (bytes: Buffer) => connection.end(`echo ${bytes}`));
    });
    expect((await fake.listeningPorts("a")).map(({ port }) => port)).toEqual([3000]);
    const connection = await fake.dial("a", 3000);
    connection.write("hi");
    const parts: Buffer[] = [];
    for await (const bytes of connection as AsyncIterable<Buffer>) parts.push(bytes);
    assert.equal(Buffer.concat(parts).toString(), "echo hi");
  });

  it("loses a sandbox without a snapshot for good", async () => {
    const fake = createFakeProvider();
    await fake.create(spec);
    fake.lose("a");
    expect((await fake.peek("a")).state).toBe("missing");
    await expect(fake.resume(spec)).rejects.toMatchObject({ kind: "not_found" });
  });
});
