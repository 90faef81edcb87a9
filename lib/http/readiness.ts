import { pause } from "@/lib/kernel/retry";
import type { Runtime } from "@/lib/runtime";

const CHECK_MS = 2_500;

/** What is down, by name; empty when the process can do its work. */
export async function checkReadiness(runtime: Runtime): Promise<string[]> {
  const [database, provider] = await Promise.all([
    answers(runtime.pool.query("SELECT 1")),
    answers(runtime.provider.list()),
  ]);
  return [
    ...(database ? [] : ["database"]),
    ...(runtime.queue.ready() && !runtime.draining ? [] : ["engine"]),
    ...(provider ? [] : ["sandbox provider"]),
  ];
}

async function answers(check: Promise<unknown>): Promise<boolean> {
  return Promise.race([
    check.then(
      () => true,
      () => false,
    ),
    pause(CHECK_MS).then(() => false),
  ]);
}
