// What the test harness takes from the set-up: the same code that `npm start` runs. Types: harness.d.mts.
export { launchApp, localUrl, waitUntilReady } from "./app.mjs";
export { buildApp } from "./build.mjs";
export { takeDataDir } from "./data-lock.mjs";
export { freePort } from "./ports.mjs";
export { startPostgres, stopPostgres } from "./postgres.mjs";
export { ensureDatabase, withClient } from "./postgres-client.mjs";
export { endProcess, identify, isAlive, waitForExit } from "./processes.mjs";
export { createProgress } from "./progress.mjs";
export { aloneInCheckout } from "./setup.mjs";
