import { type ChildProcess, spawn } from "node:child_process";
import { open, rename, rm } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import path from "node:path";
import type { Readable, Writable } from "node:stream";
import { SandboxError } from "@/lib/sandbox/errors";
import type { SandboxLimits } from "@/lib/sandbox/provider";
import { damaged } from "./disk";
import { ETC_NAMES } from "./etc-files";
import type { Host } from "./host";
import { IMAGE_MOUNT } from "./image";
import { ROOT_SCRIPT } from "./launch-script";
import type { SandboxPaths } from "./layout";
import { type ProcessIdentity, startTimeOf } from "./process-table";
import type { StateRecord } from "./records";
import { TOOL_PATH, toolEnvironment } from "./tools";
import { AGENT_INSIDE, NODE_INSIDE, viewArguments } from "./view";

export interface LaunchOptions {
  readonly paths: SandboxPaths;
  readonly disk: StateRecord["disk"];
  readonly limits: SandboxLimits;
  readonly env: Readonly<Record<string, string>>;
  /** See `bootMarker`. */
  readonly marker: string;
  /** The files that the launcher joins cgroups by. */
  readonly join: readonly string[];
  readonly readOnly: boolean;
  /** First start: make the folders of the sandbox. */
  readonly furnish: boolean;
}

export interface Launched {
  readonly init: ProcessIdentity;
  readonly outer: ProcessIdentity;
}

/** How the in-sandbox agent is started; its memory must stay small, there may be fifty of them. */
const AGENT_COMMAND = [NODE_INSIDE, "--max-old-space-size=64", "--max-semi-space-size=1", AGENT_INSIDE];
const LAUNCH_TIMEOUT_MS = 30_000;
const PROBE_TIMEOUT_MS = 120_000;
const MAX_TEXT_BYTES = 64 * 1024;
// Descriptor 3 is the listening socket of the agent.
const INFO_FD = 4;
const ARGS_FD = 5;
const SECCOMP_FD = 6;

/**
 * Starts a sandbox: `unshare` (mounts) → `setpriv` (root only) → user namespace → limits → bubblewrap → agent.
 * Resolves when bubblewrap has made the namespaces; the socket at `run/agent.sock` accepts from then on.
 */
export async function launchSandbox(host: Host, options: LaunchOptions): Promise<Launched> {
  const listener = await listenForAgent(options.paths.run);
  let child: ChildProcess;
  try {
    child = start(host, options, [...AGENT_COMMAND, options.marker], listener);
  } finally {
    listener.close();
  }
  const complaint = collect(child.stderr);
  try {
    const initPid = await readInitPid(child, complaint, options);
    const [init, outer] = [await identify(initPid), await identify(child.pid ?? 0)];
    if (!init || !outer) throw failure(options, complaint(), null);
    return { init, outer };
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  } finally {
    child.removeAllListeners();
    child.unref();
    // The sandbox must not be able to fill a file of the host, so nothing of it is kept from here on.
    for (const stream of child.stdio) stream?.destroy();
  }
}

/** Runs one shell script in the same isolation, without agent and egress, and returns what it printed. */
export async function probeSandbox(host: Host, options: LaunchOptions, script: string): Promise<string> {
  const child = start(host, options, ["/bin/bash", "-c", script, options.marker], null);
  const printed = collect(child.stdout);
  const complaint = collect(child.stderr);
  // bubblewrap is killed by a broken pipe unless somebody reads what it has to say.
  (child.stdio[INFO_FD] as Readable).resume();
  const timer = setTimeout(() => child.kill("SIGKILL"), PROBE_TIMEOUT_MS);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    if (code !== 0) throw failure(options, complaint(), code);
    return printed();
  } finally {
    clearTimeout(timer);
  }
}

function start(host: Host, options: LaunchOptions, command: readonly string[], listener: Server | null): ChildProcess {
  const { paths } = options;
  const at = (name: string, otherwise: string) => (host.isRoot ? path.join(host.stage, name) : otherwise);
  const view = viewArguments({
    sources: {
      files: at("files", paths.files),
      etc: at("etc", paths.etc),
      inside: at("inside", paths.inside),
      agent: at("agent", host.agentDir),
      node: at("node", host.nodePath),
      nodeModules: host.nodeModules === null ? null : at("node_modules", host.nodeModules),
    },
    etcNames: ETC_NAMES,
    limits: options.limits,
    env: options.env,
    readOnly: options.readOnly,
    canDisableUserns: host.canDisableUserns,
  });
  const fds = ["--info-fd", String(INFO_FD), "--seccomp", String(SECCOMP_FD)];
  const inner = [...limiter(host, options.limits), "bwrap", "--args", String(ARGS_FD), "--", ...command];
  const [program, ...args] = host.isRoot
    ? ["unshare", "--mount", "--propagation", "private", "--", "/bin/sh", "-c", ROOT_SCRIPT, options.marker, ...inner]
    : inner;
  const child = spawn(program ?? "", args, {
    cwd: paths.root,
    detached: true,
    env: toolEnvironment(host.isRoot ? rootVariables(host, options) : {}),
    stdio: [
      ...["ignore" as const, listener ? ("ignore" as const) : ("pipe" as const), "pipe" as const],
      listener ? descriptorOf(listener) : ("ignore" as const),
      ...["pipe" as const, "pipe" as const, "pipe" as const],
    ],
  });
  // Through descriptors: arguments would show environment and host paths to every `ps`.
  feed(child, ARGS_FD, Buffer.from([...fds, ...view].map((each) => `${each}\0`).join("")));
  feed(child, SECCOMP_FD, host.seccomp);
  return child;
}

/**
 * The user namespace comes before the limit of processes: the kernel counts a user's processes per namespace, and the limit at
 * its creation also binds everything that the user runs outside. Without it an ordinary user's desktop, or the other
 * sandboxes, would use up the number.
 */
function limiter(host: Host, limits: SandboxLimits): string[] {
  const processes = host.cgroups.limitsProcesses ? [] : [`--nproc=${limits.processes}`];
  return [
    ...["unshare", "--user", "--map-root-user", "--", "env", "-i", `PATH=${TOOL_PATH}`],
    ...["prlimit", "--core=0", "--nofile=16384", `--fsize=${limits.diskBytes}`, ...processes, "--"],
  ];
}

function rootVariables(host: Host, options: LaunchOptions): Record<string, string> {
  return {
    JOIN: options.join.join(" "),
    STAGE: host.stage,
    SANDBOX: options.paths.root,
    DISK: options.disk,
    MOUNT_OPTIONS: options.readOnly ? `${IMAGE_MOUNT},ro` : IMAGE_MOUNT,
    FURNISH: options.furnish ? "1" : "0",
    RUN_AS: String(host.runAs.uid),
    AGENT: host.agentDir,
    NODE: host.nodePath,
    NODE_MODULES: host.nodeModules ?? "",
  };
}

/**
 * The control socket is made out here and inherited. It is bound under another name and renamed, because a server unlinks
 * its own name when it closes; through /proc/self/fd, because the path of a unix socket may have only 107 bytes.
 */
async function listenForAgent(folder: string): Promise<Server> {
  const directory = await open(folder, "r");
  try {
    const place = `/proc/self/fd/${directory.fd}`;
    const server = createServer();
    await rm(`${place}/agent.new`, { force: true });
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ path: `${place}/agent.new`, backlog: 128 }, resolve);
    });
    await rename(`${place}/agent.new`, `${place}/agent.sock`);
    return server;
  } finally {
    await directory.close();
  }
}

/** Node has no public way to hand a listening socket to a program that is not Node. */
function descriptorOf(server: Server): number {
  const handle: unknown = Reflect.get(server, "_handle");
  const fd: unknown = typeof handle === "object" && handle !== null ? Reflect.get(handle, "fd") : undefined;
  if (typeof fd !== "number" || fd < 0) throw new Error("this Node does not tell the descriptor of a server");
  return fd;
}

function feed(child: ChildProcess, fd: number, bytes: Buffer): void {
  const pipe = child.stdio[fd] as Writable;
  pipe.on("error", () => {});
  pipe.end(bytes);
}

function collect(stream: Readable | null): () => string {
  let text = "";
  stream?.on("error", () => {});
  stream?.on("data", (bytes: Buffer) => {
    if (text.length < MAX_TEXT_BYTES) text += bytes.toString("utf8");
  });
  return () => text.trim();
}

function readInitPid(child: ChildProcess, complaint: () => string, options: LaunchOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(failure(options, "it took too long", null)), LAUNCH_TIMEOUT_MS);
    const settle = (run: () => void) => {
      clearTimeout(timer);
      run();
    };
    let info = "";
    const pipe = child.stdio[INFO_FD] as Readable;
    pipe.on("error", () => {});
    pipe.on("data", (bytes: Buffer) => {
      info += bytes.toString("utf8");
      // The whole text must have come: closing the pipe earlier kills bubblewrap.
      if (!/\}\s*$/.test(info)) return;
      const pid = Number(/"child-pid":\s*(\d+)/.exec(info)?.[1]);
      settle(() => (pid > 0 ? resolve(pid) : reject(failure(options, info, null))));
    });
    child.once("error", (error) => settle(() => reject(failure(options, String(error), null))));
    child.once("close", (code) => settle(() => reject(failure(options, complaint(), code))));
  });
}

const DISK_FAILED = 91;

function failure(options: LaunchOptions, text: string, code: number | null): SandboxError {
  const said = text.split("\n").slice(-3).join(" ").slice(-400);
  if (code === DISK_FAILED && options.disk === "image" && !/loop device/i.test(said)) return damaged(said);
  return new SandboxError("transient", `The sandbox did not start (${code ?? "no exit code"}): ${said}`, {
    reason: "launch_failed",
  });
}

async function identify(pid: number): Promise<ProcessIdentity | null> {
  const start = pid > 0 ? await startTimeOf(pid) : null;
  return start === null ? null : { pid, start };
}
