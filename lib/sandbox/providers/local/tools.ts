import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The search path of everything that the provider itself runs on the host. */
export const TOOL_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Runs a tool of the host to its end and returns what it printed. Nothing of the app's environment reaches it. */
export async function runTool(argv: readonly string[], timeoutMs = 60_000): Promise<string> {
  const { stdout } = await run(argv[0] ?? "", argv.slice(1), {
    env: toolEnvironment({ LC_ALL: "C" }),
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    encoding: "utf8",
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout;
}

/** An environment that holds nothing but what is named here. */
export function toolEnvironment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  // Next's types demand NODE_ENV in every environment, which no tool of the host needs.
  return { PATH: TOOL_PATH, ...more } as unknown as NodeJS.ProcessEnv;
}
