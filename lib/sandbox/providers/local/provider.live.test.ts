import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { conformanceScenarios, ScenarioContext } from "@/lib/sandbox/conformance";
import { LocalTarget, localOptions, makeStateDir } from "./testing/local-target";

const isRoot = process.getuid?.() === 0;
/** What this machine is expected to lack, by user: anything else that a scenario needs must be there. */
const LACKING = isRoot ? [] : ["hard-disk"];

describe(`the local provider keeps the promises of the port (${isRoot ? "root" : "ordinary user"})`, () => {
  let target: LocalTarget;
  let cleanUp: () => Promise<void>;

  beforeAll(async () => {
    const { stateDir, remove } = await makeStateDir();
    target = await LocalTarget.open(localOptions(stateDir));
    cleanUp = async () => {
      await target.provider.close();
      await remove();
    };
  });

  afterAll(async () => {
    await cleanUp();
  });

  conformanceScenarios.forEach((scenario, index) => {
    const lacking = scenario.needs.filter((trait) => LACKING.includes(trait));
    const reason = lacking.length > 0 ? ` (lacks ${lacking.join(", ")})` : "";
    it.skipIf(lacking.length > 0)(`${scenario.name}${reason}`, async () => {
      const absent = scenario.needs.filter((trait) => !target.traits.has(trait));
      expect(absent, "expected on this machine").toEqual([]);
      const context = new ScenarioContext(target, `s${index}`);
      try {
        await scenario.run(context);
      } finally {
        await context.cleanUp();
      }
    });
  });

  it.skipIf(isRoot)("over a soft disk limit, what writes is killed and the rest lives on", async () => {
    const context = new ScenarioContext(target, "soft");
    try {
      const { id } = await context.create({ limits: { diskBytes: 32 * 1024 * 1024 } });
      const command = "for i in $(seq 1 100000); do dd if=/dev/zero of=f$i bs=1M count=1 status=none; sleep 0.05; done";
      await target.provider.spawn(id, { commandId: "filler", command });
      const { exit } = await context.follow(id, "filler");
      expect(exit.signal).toBe("SIGKILL");
      expect(await context.output(id, "rm -f f*; echo free")).toBe("free\n");
    } finally {
      await context.cleanUp();
    }
  });
});
