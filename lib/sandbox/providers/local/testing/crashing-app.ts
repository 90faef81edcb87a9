import { createInterface } from "node:readline";
import { DEFAULT_LIMITS, type SandboxSpec } from "@/lib/sandbox/provider";
import { createLocalProvider } from "../provider";
import { localOptions } from "./local-target";

/** An app that does what it is told on stdin, a line of JSON each, and says on stdout how it went. */
const provider = createLocalProvider(localOptions(process.argv[3] ?? ""));

const spec = (id: string): SandboxSpec => ({
  id,
  limits: DEFAULT_LIMITS,
  network: { allow: [], gitRemote: null },
  env: {},
});

const operations: Record<string, (id: string, text: string) => Promise<unknown>> = {
  recover: () => provider.recover(),
  create: (id) => provider.create(spec(id)),
  resume: (id) => provider.resume(spec(id)),
  hibernate: (id) => provider.hibernate(id),
  fork: (id, to) => provider.fork(id, spec(to)),
  destroy: (id) => provider.destroy(id),
  run: async (id, command) => (await provider.exec(id, { command })).stdout.toString("utf8"),
  spawn: (id, command) => provider.spawn(id, { commandId: "c", command }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const [operation, id, text] = JSON.parse(line) as [string, string, string];
  try {
    console.log(JSON.stringify({ ok: (await operations[operation]?.(id, text)) ?? null }));
  } catch (error) {
    console.log(JSON.stringify({ error: String(error) }));
  }
}
