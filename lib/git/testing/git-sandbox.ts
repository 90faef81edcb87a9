import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { GitGateway } from "@/lib/git/gateway";

export interface GitRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs git as it runs in a sandbox: no configuration of the host, no prompt, a fixed identity. Never rejects. */
export function git(
  args: readonly string[],
  more: { cwd?: string; env?: Record<string, string> } = {},
): Promise<GitRun> {
  return new Promise((resolve) => {
    const env = {
      PATH: process.env.PATH,
      HOME: "/nonexistent",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_TERMINAL_PROMPT: "0",
      GIT_AUTHOR_NAME: "A",
      GIT_AUTHOR_EMAIL: "a@test",
      GIT_COMMITTER_NAME: "A",
      GIT_COMMITTER_EMAIL: "a@test",
      LANG: "C.UTF-8",
      ...more.env,
    } as unknown as NodeJS.ProcessEnv;
    execFile("git", args, { env, cwd: more.cwd ?? "/", maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ code: error ? (typeof error.code === "number" ? error.code : 1) : 0, stdout, stderr });
    });
  });
}

/** Serves `remote` through a gateway on a loopback port, as the egress listener does on a sandbox's socket. */
export async function exposeGateway(
  gateway: GitGateway,
  remote: string,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => void gateway.serve(remote, request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/repo`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
