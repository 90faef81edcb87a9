import { afterAll, describe, test, vi } from "vitest";
import { CRASH_POINTS } from "@/lib/kernel/crash-points";
import { scenarioOf } from "./scenarios";
import { World } from "./world";

const AT_ONCE = 3;
vi.setConfig({ maxConcurrency: AT_ONCE });

/** Deployments that have survived their crash points so far and take the next one. */
const idle: World[] = [];
afterAll(async () => {
  await Promise.all(idle.map((world) => world.end()));
});

/** Lends a deployment that runs; one that failed a story is thrown away. */
async function inPooledWorld(story: (world: World) => Promise<void>): Promise<void> {
  const world = idle.pop() ?? new World();
  try {
    if (!world.isUp) await world.boot();
    await story(world);
    await world.converged();
    idle.push(world);
  } catch (error) {
    await world.explain(error);
    await world.end();
    throw error;
  }
}

/**
 * properties.md, R1, R2 and R24: the process dies at every named point of every use case; after the next start the
 * use case reaches its goal, every invariant holds, and nothing is lost, doubled or left over.
 */
describe.concurrent("after kill -9 at", () => {
  test.for(CRASH_POINTS)("%s the next start reaches the goal", (point) =>
    inPooledWorld(async (world) => {
      const scenario = scenarioOf(point);
      const context = await scenario.prepare(world);
      await world.note();
      await world.arm(point);
      await scenario.act(world.api, context);
      await world.died(point);
      await world.boot();
      await scenario.goal(world, context);
    }),
  );
});
