import { afterAll, beforeAll, expect, test } from "vitest";
import { Client } from "@/tests/api/client";
import type { StreamedEvent } from "@/tests/api/sse";
import { type Dormouse, startDormouse } from "@/tests/harness/server";
import { median, quantile, report } from "./measure";

let server: Dormouse;
let api: Client;
beforeAll(async () => {
  server = await startDormouse({ env: { DORMOUSE_CREATE_LIMIT: "off" } });
  api = new Client(server.url, server.token);
});
afterAll(() => server.stop());

/** Milliseconds between the ends of neighbouring commands, from the events of a turn that does nothing else. */
function stepTimes(events: readonly StreamedEvent[]): number[] {
  const ends = events
    .filter(({ kind, name }) => kind === "observation" && name === "run")
    .map(({ at }) => Date.parse(at));
  return ends.slice(1).map((end, index) => end - (ends[index] ?? 0));
}

test("a step of a long turn: flat, and against the first ones", async () => {
  const { chat } = await api.ready({ limits: { maxSteps: 200 } });
  const turn = await api.turn(chat.id, Array.from({ length: 101 }, () => "$ true").join("\n"));
  expect(turn.state, turn.reason ?? "").toBe("completed");
  const times = stepTimes(await api.history(chat.id));
  const around = (step: number) => median(times.slice(step - 8, step + 2));
  report({
    name: "model step and tool step, at step 100",
    baseline: "at step 10",
    ours: around(97),
    theirs: around(10),
    unit: "ms",
    runs: 10,
    aim: 1.2,
  });
});

/** How long after its commit a browser has an event, in milliseconds; both clocks are this machine's. */
async function delays(streams: number): Promise<number[]> {
  const { chat } = await api.ready({});
  const controller = new AbortController();
  const after = (await api.messages(chat.id)).eventSeq;
  const reading = Array.from({ length: streams }, async () => {
    const seen: number[] = [];
    for await (const event of api.events(chat.id, { after, signal: controller.signal })) {
      if (event.kind === "delta") seen.push(performance.timeOrigin + event.arrivedAtMs - Date.parse(event.at));
      if (event.kind === "state" && JSON.stringify(event.turn ?? "").includes('"completed"')) break;
    }
    return seen;
  });
  await api.send(chat.id, "slow 50");
  return (await Promise.all(reading)).flat();
}

test("from the commit of a model's words to the reader, with one and with fifty streams", async () => {
  for (const streams of [1, 50]) {
    const all = await delays(streams);
    for (const [share, name] of [
      [0.5, "p50"],
      [0.95, "p95"],
    ] as const) {
      report({
        name: `words stored to words read, ${streams} ${streams === 1 ? "stream" : "streams"}, ${name}`,
        ours: quantile(all, share),
        unit: "ms",
        runs: all.length,
        ...(name === "p95" ? { aim: 100 } : {}),
      });
    }
  }
});
