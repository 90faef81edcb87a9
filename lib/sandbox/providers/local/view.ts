import { existsSync, lstatSync, readlinkSync } from "node:fs";
import path from "node:path";
import type { SandboxLimits } from "@/lib/sandbox/provider";

/** What a sandbox sees of the host, as arguments of bubblewrap. Measured recipe: design.md, section 7. */

export const PROXY_URL = "http://127.0.0.1:3128";
export const NODE_INSIDE = "/opt/node/bin/node";
export const AGENT_INSIDE = "/opt/dormouse/agent/agent.cjs";
const SEARCH_PATH = "/opt/node/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";
const MIB = 1024 * 1024;

/** Parts of the host's /etc that programs under /usr need and that hold no secret. */
const HOST_ETC = [
  ...["alternatives", "ca-certificates", "ca-certificates.conf", "pki/tls/certs", "pki/ca-trust"],
  ...["ssl/certs", "ssl/openssl.cnf", "ld.so.cache", "ld.so.conf", "ld.so.conf.d"],
  ...["localtime", "magic", "mime.types", "nsswitch.conf", "protocols", "services", "terminfo"],
];

/** Where the parts come from. As root they lie in the staging folder of the launcher, else in the state folder. */
export interface ViewSources {
  readonly files: string;
  readonly etc: string;
  readonly inside: string;
  readonly agent: string;
  readonly node: string;
  /** The folder with npm that belongs to this Node, or null. */
  readonly nodeModules: string | null;
}

export interface ViewOptions {
  readonly sources: ViewSources;
  readonly etcNames: readonly string[];
  readonly limits: SandboxLimits;
  readonly env: Readonly<Record<string, string>>;
  /** True for looking at sealed files without changing them. */
  readonly readOnly: boolean;
  /** bubblewrap before 0.8 cannot forbid further user namespaces; the system call filter does it in any case. */
  readonly canDisableUserns: boolean;
}

/** The environment of every command inside. */
export function commandEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  return {
    PATH: SEARCH_PATH,
    HOME: "/home/user",
    USER: "user",
    LOGNAME: "user",
    SHELL: "/bin/bash",
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    TMPDIR: "/tmp",
    GIT_TERMINAL_PROMPT: "0",
    HTTP_PROXY: PROXY_URL,
    HTTPS_PROXY: PROXY_URL,
    http_proxy: PROXY_URL,
    https_proxy: PROXY_URL,
    NODE_USE_ENV_PROXY: "1",
    NO_PROXY: "localhost,127.0.0.1",
    no_proxy: "localhost,127.0.0.1",
    ...env,
  };
}

export function viewArguments(options: ViewOptions): string[] {
  const { sources, limits } = options;
  const bind = options.readOnly ? "--ro-bind" : "--bind";
  // Memory-backed, and so part of the memory limit: a full /tmp must not be able to use it all up.
  const tmpBytes = String(Math.floor(Math.min(512 * MIB, limits.memoryBytes / 2)));
  const shmBytes = String(Math.floor(Math.min(64 * MIB, limits.memoryBytes / 8)));
  return [
    ...["--unshare-user", "--uid", "1000", "--gid", "1000"],
    ...(options.canDisableUserns ? ["--disable-userns"] : []),
    ...["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net", "--unshare-cgroup-try"],
    ...["--hostname", "sandbox", "--new-session", "--clearenv"],
    ...["--ro-bind", "/usr", "/usr", ...topFolders()],
    ...HOST_ETC.flatMap((name) => ["--ro-bind-try", `/etc/${name}`, `/etc/${name}`]),
    ...options.etcNames.flatMap((name) => ["--ro-bind", path.join(sources.etc, name), `/etc/${name}`]),
    ...["--symlink", "/run/dormouse/gitconfig", "/etc/gitconfig"],
    ...["--ro-bind", sources.inside, "/run/dormouse"],
    ...["--ro-bind", sources.agent, path.dirname(AGENT_INSIDE)],
    ...["--ro-bind", sources.node, NODE_INSIDE],
    ...(sources.nodeModules === null ? [] : npmArguments(sources.nodeModules)),
    ...[bind, path.join(sources.files, "workspace"), "/workspace"],
    ...[bind, path.join(sources.files, "home"), "/home/user"],
    ...["--proc", "/proc", "--dev", "/dev"],
    ...["--perms", "1777", "--size", tmpBytes, "--tmpfs", "/tmp"],
    ...["--perms", "1777", "--size", shmBytes, "--tmpfs", "/dev/shm"],
    ...["--size", String(MIB), "--tmpfs", "/var"],
    ...["--symlink", "/tmp", "/var/tmp", "--symlink", "/run", "/var/run"],
    // bubblewrap's /dev is a memory file system without a limit.
    ...["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/workspace"],
    ...["--setenv", "PATH", SEARCH_PATH, "--setenv", "HOME", "/home/user"],
    ...["--setenv", "DORMOUSE_ENV", JSON.stringify(commandEnvironment(options.env))],
  ];
}

/** /bin, /lib and so on: links into /usr on most systems, folders of their own on some. */
function topFolders(): string[] {
  return ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"].flatMap((folder) => {
    if (!existsSync(folder)) return [];
    if (lstatSync(folder).isSymbolicLink()) return ["--symlink", readlinkSync(folder), folder];
    return ["--ro-bind", folder, folder];
  });
}

function npmArguments(nodeModules: string): string[] {
  const tools = { npm: "npm/bin/npm-cli.js", npx: "npm/bin/npx-cli.js", corepack: "corepack/dist/corepack.js" };
  return [
    ...["--ro-bind", nodeModules, "/opt/node/lib/node_modules"],
    ...Object.entries(tools).flatMap(([name, file]) => [
      "--symlink",
      `../lib/node_modules/${file}`,
      `/opt/node/bin/${name}`,
    ]),
  ];
}
