import { afterAll, beforeAll, expect, test } from "vitest";
import { runModelStep } from "@/lib/agent/run-step";
import { TOOLBOX } from "@/lib/agent/toolbox";
import { createDemoModel } from "@/lib/model/demo";
import { DEFAULT_LIMITS } from "@/lib/sandbox/provider";
import { LocalTarget, localOptions, makeStateDir } from "@/lib/sandbox/providers/local/testing/local-target";
import { Client } from "@/tests/api/client";
import type { StreamedEvent } from "@/tests/api/sse";
import { type Dormouse, startDormouse } from "@/tests/harness/server";
import { startClockModel } from "./clock-model";
import { median, quantile, report, timedRuns } from "./measure";

const WORDS = 50;
let clock: Awaited<ReturnType<typeof startClockModel>>;
let server: Dormouse;
let api: Client;
beforeAll(async () => {
  clock = await startClockModel(WORDS);
  server = await startDormouse({ env: { DORMOUSE_CREATE_LIMIT: "off", OPENAI_BASE_URL: clock.url } });
  api = new Client(server.url, server.token);
});
afterAll(async () => {
  await server.stop();
  await clock.close();
});

/** Milliseconds between the ends of neighbouring commands, from the events of a turn that does nothing else. */
function stepTimes(events: readonly StreamedEvent[]): number[] {
  const ends = events
    .filter(({ kind, name }) => kind === "observation" && name === "run")
    .map(({ at }) => Date.parse(at));
  return ends.slice(1).map((end, index) => end - (ends[index] ?? 0));
}

/** The same two steps without rows, leases, events and workflows: one call of the model, one command. */
async function bareSteps(runs: number): Promise<number[]> {
  const { stateDir, remove } = await makeStateDir();
  const { provider } = await LocalTarget.open(localOptions(stateDir));
  await provider.create({ id: "bare", limits: DEFAULT_LIMITS, network: { allow: [], gitRemote: null }, env: {} });
  const model = createDemoModel();
  const message = { id: "m", role: "user" as const, parts: [{ type: "text" as const, text: "$ true" }] };
  try {
    return await timedRuns(runs, async (run) => {
      const step = await runModelStep({
        ...{ model, instructions: "", messages: [message], tools: TOOLBOX, cacheKey: "bench" },
        signal: new AbortController().signal,
        onChunk: () => {},
      });
      if (step.toolCalls.length !== 1) throw new Error("the demo model made no call");
      await provider.spawn("bare", { commandId: `c-${run}`, command: "true", cwd: "/workspace" });
      for await (const _ of provider.attach("bare", `c-${run}`));
    });
  } finally {
    await provider.destroy("bare");
    await provider.close();
    await remove();
  }
}

test("a step of a long turn: flat, and against the same steps without the engine", async () => {
  const { chat } = await api.ready({ model: "demo/demo", limits: { maxSteps: 200 } });
  const turn = await api.turn(chat.id, Array.from({ length: 101 }, () => "$ true").join("\n"));
  expect(turn.state, turn.reason ?? "").toBe("completed");
  const times = stepTimes(await api.history(chat.id));
  const around = (step: number) => median(times.slice(step - 8, step + 2));
  const bare = median((await bareSteps(40)).slice(5));
  report({
    ...{ name: "model step and tool step, at step 100", baseline: "at step 10", unit: "ms", runs: 10 },
    ours: around(97),
    theirs: around(10),
    aim: 1.2,
  });
  report({
    ...{ name: "model step and tool step, at step 10", baseline: "the same without the engine", unit: "ms", runs: 10 },
    ours: around(10),
    theirs: bare,
  });
  report({ name: "what the engine adds to a step", ours: around(10) - bare, unit: "ms", runs: 10, aim: 15 });
});

/** How old the words of the clock are when they arrive, in milliseconds: model, coalescing, rows, NOTIFY, stream. */
async function agesOfWords(streams: number): Promise<number[]> {
  const { chat } = await api.ready({ model: "compatible/clock" });
  const after = (await api.messages(chat.id)).eventSeq;
  const reading = Array.from({ length: streams }, async () => {
    const ages: number[] = [];
    for await (const event of api.events(chat.id, { after })) {
      const chunk = event.chunk as { type?: string; delta?: string } | undefined;
      if (chunk?.type === "text-delta")
        for (const word of chunk.delta?.match(/\d{13}/g) ?? [])
          ages.push(performance.timeOrigin + event.arrivedAtMs - Number(word));
      if (event.kind === "state" && JSON.stringify(event.turn ?? "").includes('"completed"')) break;
    }
    return ages;
  });
  await api.send(chat.id, "What time is it?");
  return (await Promise.all(reading)).flat();
}

test("from a chunk of the model to the event at the reader, with one and with fifty streams", async () => {
  for (const streams of [1, 50]) {
    const all = await agesOfWords(streams);
    expect(all.length).toBe(WORDS * streams);
    for (const [share, name] of [
      [0.5, "p50"],
      [0.95, "p95"],
    ] as const) {
      report({
        name: `chunk of the model to event read, ${streams} ${streams === 1 ? "stream" : "streams"}, ${name}`,
        ours: quantile(all, share),
        unit: "ms",
        runs: all.length,
        ...(name === "p95" ? { aim: 100 } : {}),
      });
    }
  }
});
