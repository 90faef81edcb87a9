import { spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { DEFAULT_LIMITS, type SandboxSpec } from "@/lib/sandbox/provider";
import { LocalTarget, localOptions, makeStateDir } from "@/lib/sandbox/providers/local/testing/local-target";
import { makeBigTree, run } from "./big-repository";
import { median, report, timed, timedRuns } from "./measure";

const spec = (id: string): SandboxSpec => ({
  id,
  limits: DEFAULT_LIMITS,
  network: { allow: [], gitRemote: null },
  env: {},
});

let target: LocalTarget;
let remove: () => Promise<void>;
let tree: Awaited<ReturnType<typeof makeBigTree>>;

beforeAll(async () => {
  const state = await makeStateDir();
  remove = state.remove;
  target = await LocalTarget.open(localOptions(state.stateDir));
  tree = await makeBigTree();
});
afterAll(async () => {
  for (const { id } of await target.provider.list()) await target.provider.destroy(id);
  await target.provider.close();
  await remove();
  await tree.remove();
});

/** Puts the 200 MB into a sandbox, as one stream. */
async function unpackInto(id: string): Promise<void> {
  const archive = path.join(path.dirname(tree.path), "tree.tar");
  if (!(await stat(archive).catch(() => null))) await run("tar", "-C", tree.path, "-cf", archive, ".");
  const { readFile } = await import("node:fs/promises");
  const done = await target.provider.exec(id, {
    command: ["tar", "-C", "/workspace", "-xf", "-"],
    stdin: await readFile(archive),
    timeoutMs: 120_000,
  });
  if (done.exitCode !== 0) throw new Error(done.stderr.toString());
}

test("one command against a bare spawn", async () => {
  const { provider } = target;
  await provider.create(spec("exec"));
  const runs = 100;
  const inside = () => provider.exec("exec", { command: ["true"] });
  const bare = () =>
    new Promise<void>((resolve) => {
      spawn("true", { stdio: ["ignore", "pipe", "pipe"] }).once("close", () => resolve());
    });
  await timedRuns(10, inside);
  await timedRuns(10, bare);
  const ours = await timedRuns(runs, inside);
  const theirs = await timedRuns(runs, bare);
  report({
    name: "exec of `true` in a sandbox",
    baseline: "bare spawn",
    ours: median(ours),
    theirs: median(theirs),
    unit: "ms",
    runs,
    aim: 1.5,
  });
  await provider.destroy("exec");
});

test("hibernate and resume against tar | zstd and back, and flat in size", async () => {
  const { provider } = target;
  const archive = path.join(path.dirname(tree.path), "tree.tar.zst");
  const back = path.join(path.dirname(tree.path), "back");
  const packed: number[] = [];
  const unpacked: number[] = [];
  const slept: number[] = [];
  const woken: number[] = [];
  const runs = 3;
  await provider.create(spec("big"));
  await unpackInto("big");
  for (let round = 0; round < runs; round += 1) {
    packed.push(
      await timed(() => run("bash", "-c", 'tar -C "$1" -c . | zstd -q -f -o "$2"', "bash", tree.path, archive)),
    );
    await run("mkdir", "-p", back);
    unpacked.push(await timed(() => run("bash", "-c", 'zstd -q -d -c "$1" | tar -C "$2" -x', "bash", archive, back)));
    await run("rm", "-rf", back);
    slept.push(await timed(() => provider.hibernate("big")));
    woken.push(await timed(() => provider.resume(spec("big"))));
  }
  await provider.create(spec("small"));
  const sleptSmall = await timedRuns(1, () => provider.hibernate("small"));
  const wokenSmall = await timedRuns(1, () => provider.resume(spec("small")));
  for (let round = 0; round < 4; round += 1) {
    sleptSmall.push(await timed(() => provider.hibernate("small")));
    wokenSmall.push(await timed(() => provider.resume(spec("small"))));
  }
  const common = { unit: "ms", runs } as const;
  report({
    ...common,
    name: "hibernate, 200 MB in 20,000 files",
    baseline: "tar | zstd",
    ours: median(slept),
    theirs: median(packed),
    quicker: true,
    aim: 10,
  });
  report({
    ...common,
    name: "resume, 200 MB in 20,000 files",
    baseline: "zstd -d | tar -x",
    ours: median(woken),
    theirs: median(unpacked),
    quicker: true,
    aim: 10,
  });
  report({
    ...common,
    name: "hibernate and resume of the 200 MB",
    baseline: "of an empty sandbox",
    ours: median(slept) + median(woken),
    theirs: median(sleptSmall) + median(wokenSmall),
    aim: 1.5,
  });
  await provider.hibernate("big");
  const copy = path.join(path.dirname(tree.path), "copy");
  const forked: number[] = [];
  const copied: number[] = [];
  for (let round = 0; round < runs; round += 1) {
    copied.push(await timed(() => run("cp", "-a", tree.path, copy)));
    await run("rm", "-rf", copy);
    forked.push(await timed(() => provider.fork("big", spec(`fork-${round}`))));
    await provider.destroy(`fork-${round}`);
  }
  report({
    ...common,
    name: "fork of the 200 MB",
    baseline: "cp -a",
    ours: median(forked),
    theirs: median(copied),
    note: `provider says: ${provider.capabilities.fork}`,
  });
});
