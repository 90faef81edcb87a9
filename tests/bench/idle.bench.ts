import { readdirSync, readFileSync } from "node:fs";
import { test } from "vitest";
import { Client } from "@/tests/api/client";
import { startDormouse } from "@/tests/harness/server";
import { median, report } from "./measure";

const SANDBOXES = 20;
const WATCHED_MS = 30_000;
const TICKS_A_SECOND = 100;

interface Usage {
  readonly pids: readonly number[];
  readonly megabytes: number;
  readonly cpuSeconds: number;
}

/** Memory (proportional share, so that shared pages count once) and CPU of all processes that `mine` picks. */
function usageOf(mine: (commandLine: string, pid: number) => boolean): Usage {
  const pids: number[] = [];
  let kilobytes = 0;
  let ticks = 0;
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    try {
      if (!mine(readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " "), pid)) continue;
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
      kilobytes += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
      // Of itself, and of children that have ended.
      for (const field of fields.slice(11, 15)) ticks += Number(field);
      pids.push(pid);
    } catch {
      // It has ended meanwhile.
    }
  }
  return { pids, megabytes: kilobytes / 1024, cpuSeconds: ticks / TICKS_A_SECOND };
}

function childrenOf(pid: number): number[] {
  try {
    const own = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
    return own.flatMap((child) => [child, ...childrenOf(child)]);
  } catch {
    return [];
  }
}

test("memory and CPU at rest, with twenty sandboxes awake", async () => {
  const server = await startDormouse({
    ownPostgres: true,
    env: { DORMOUSE_CREATE_LIMIT: "off", DORMOUSE_MAX_ACTIVE: "100" },
  });
  try {
    const api = new Client(server.url, server.token);
    const postmaster = Number(
      readFileSync(`${server.dataDir}/postgres/cluster/data/postmaster.pid`, "utf8").split("\n")[0],
    );
    const before = new Set(readdirSync("/proc"));
    for (let count = 0; count < SANDBOXES; count += 1) await api.ready({});
    await new Promise((resolve) => setTimeout(resolve, 3_000)); // what the starts left to do
    const parts = {
      app: (_: string, pid: number) => pid === server.pid,
      database: (_: string, pid: number) => [postmaster, ...childrenOf(postmaster)].includes(pid),
      // All that has come since and goes on, but for what belongs to the two others.
      sandboxes: (line: string, pid: number) =>
        !before.has(String(pid)) && /bwrap|agent\.cjs/.test(line) && !childrenOf(postmaster).includes(pid),
    };
    const measure = () => Object.entries(parts).map(([name, mine]) => ({ name, ...usageOf(mine) }));
    const from = measure();
    await new Promise((resolve) => setTimeout(resolve, WATCHED_MS));
    const to = measure();
    for (const [index, { name, megabytes, pids, cpuSeconds }] of to.entries()) {
      const each = name === "sandboxes" ? SANDBOXES : 1;
      report({
        name: `memory at rest: ${name === "sandboxes" ? "one sandbox" : name}`,
        ours: megabytes / each,
        unit: "MB",
        runs: 1,
        note: `${pids.length} ${pids.length === 1 ? "process" : "processes"}`,
        ...(name === "sandboxes" ? { aim: 15 } : {}),
      });
      report({
        name: `CPU in 30 s at rest: ${name === "sandboxes" ? "20 sandboxes" : name}`,
        ours: cpuSeconds - (from[index]?.cpuSeconds ?? 0),
        unit: "s of CPU",
        runs: 1,
        ...(name === "sandboxes" ? { aim: 0.05 } : {}),
      });
    }
  } finally {
    await server.stop();
  }
});

test("ready again after kill -9 against a plain restart", async () => {
  const server = await startDormouse({ env: { DORMOUSE_CREATE_LIMIT: "off" } });
  try {
    const api = new Client(server.url, server.token);
    for (let count = 0; count < 5; count += 1) await api.ready({});
    const killed: number[] = [];
    const restarted: number[] = [];
    const runs = 3;
    for (let round = 0; round < runs; round += 1) {
      await server.kill9();
      let from = performance.now();
      await server.restart();
      killed.push(performance.now() - from);
      await server.end("SIGTERM");
      from = performance.now();
      await server.restart();
      restarted.push(performance.now() - from);
    }
    report({
      name: "ready again after kill -9",
      baseline: "after SIGTERM",
      ours: median(killed),
      theirs: median(restarted),
      unit: "ms",
      runs,
      aim: 1.5,
    });
  } finally {
    await server.stop();
  }
});
