import { expect, test } from "vitest";
import { Client, outputOf, toolParts } from "@/tests/api/client";
import { startDormouse } from "@/tests/harness/server";
import { makeBigRepository } from "./big-repository";
import { median, report, timed } from "./measure";

const RUNS = 3;

test("start to READY of a large repository against git clone by the same gateway", async () => {
  const repository = await makeBigRepository("echo ready > .git/setup-ran\n");
  const server = await startDormouse({ env: { DORMOUSE_CREATE_LIMIT: "off" } });
  try {
    const api = new Client(server.url, server.token);
    const start = async () => {
      let id = "";
      const ms = await timed(async () => {
        id = (await api.ready({ repo: { url: repository.path } })).session.id;
      });
      return { ms, id };
    };
    const first = await start();
    const again = [];
    for (let round = 0; round < RUNS; round += 1) again.push(await start());

    const { chats } = (await api.get(`/api/sessions/${first.id}/chats`)).body as { chats: { id: string }[] };
    const cloned: number[] = [];
    for (let round = 0; round < RUNS; round += 1) {
      const turn = await api.turn(
        chats[0]?.id ?? "",
        `$ cd /home/user && rm -rf copy && a=$(date +%s%N) && git clone -q "$(git -C /workspace remote get-url origin)" copy && b=$(date +%s%N) && echo took=$(((b - a) / 1000000))`,
      );
      const took = /took=(\d+)/.exec(outputOf(toolParts(turn.message)[0]))?.[1];
      expect(took, turn.text).toBeDefined();
      cloned.push(Number(took));
    }
    const common = { baseline: "git clone inside, same gateway", theirs: median(cloned), unit: "ms" } as const;
    report({ ...common, name: "start to READY, 200 MB, first time", ours: first.ms, runs: 1, aim: 1.3 });
    report({
      ...common,
      name: "start to READY, 200 MB, again",
      ours: median(again.map(({ ms }) => ms)),
      runs: RUNS,
      aim: 0.1,
    });
  } finally {
    await server.stop();
    await repository.remove();
  }
});
