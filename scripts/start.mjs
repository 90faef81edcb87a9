// `npm start`: everything from a fresh clone to a link in the terminal. Plain Node 20, nothing installed before.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { continueOnSupportedNode } from "./lib/node24.mjs";
import { createProgress, printFailure } from "./lib/progress.mjs";
import { runDormouse } from "./lib/run-dormouse.mjs";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const script = fileURLToPath(import.meta.url);
// A terminal that went away must not keep the app from being stopped in order.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

try {
  const progress = createProgress();
  if (await continueOnSupportedNode({ root, script, progress })) {
    if (existsSync(`${root}/.env`)) process.loadEnvFile(`${root}/.env`);
    process.exit(await runDormouse({ root, env: process.env, progress }));
  }
} catch (error) {
  printFailure(error);
  process.exit(1);
}
