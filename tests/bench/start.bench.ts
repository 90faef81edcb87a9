import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { test } from "vitest";
import { freePort } from "@/scripts/lib/harness.mjs";
import { median, report, timed } from "./measure";

const root = path.resolve(import.meta.dirname, "../..");
const RUNS = 3;

/** Runs `npm start` until it says that it is ready, and ends it; gives how long the first took, in milliseconds. */
async function start(dataDir: string, port: number): Promise<number> {
  const child = spawn(process.execPath, ["scripts/start.mjs"], {
    cwd: root,
    env: { ...process.env, DORMOUSE_DATA_DIR: dataDir, PORT: String(port), DATABASE_URL: "" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const took = await timed(
    () =>
      new Promise<void>((resolve, reject) => {
        let said = "";
        child.stdout.on("data", (bytes: Buffer) => {
          said += bytes.toString();
          if (said.includes("Dormouse is ready")) resolve();
        });
        child.once("exit", () => reject(new Error(`npm start ended:\n${said}`)));
      }),
  );
  child.kill("SIGINT");
  await ended;
  return took;
}

test("npm start when everything is there already", async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "dormouse-bench-start-"));
  try {
    const port = await freePort();
    const first = await start(dataDir, port);
    const warm: number[] = [];
    for (let run = 0; run < RUNS; run += 1) warm.push(await start(dataDir, port));
    report({
      ...{ name: "npm start, warm", baseline: "the first, with a new database", unit: "ms", runs: RUNS },
      ours: median(warm),
      theirs: first,
    });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
