import { createHash } from "node:crypto";
import path from "node:path";

/** Where the files of one sandbox lie on the host. */
export interface SandboxPaths {
  readonly root: string;
  /** What it is and, while it runs, which processes it is. */
  readonly state: string;
  /** Present only while the files are sealed (design.md, section 7). */
  readonly seal: string;
  /** Names an operation that has begun; `recover` finishes it. */
  readonly intent: string;
  /** As root: the ext4 image that holds the files of the sandbox and is their hard limit. */
  readonly image: string;
  /** Otherwise: the folder that holds them. */
  readonly files: string;
  /** The control socket. Never visible inside. */
  readonly run: string;
  /** Bound read-only at /run/dormouse: the egress socket and the git configuration. */
  readonly inside: string;
  readonly etc: string;
}

/** The state folder of a provider. All moves between its parts are renames on one file system. */
export interface StateLayout {
  readonly root: string;
  readonly sandboxes: string;
  /** Half-made sandboxes; whatever a crash leaves here is removed. */
  readonly nursery: string;
  /** Sandboxes being destroyed; a move to here is the intent, emptying it the effect. */
  readonly trash: string;
  readonly hostFile: string;
  /** Marks our processes and cgroups, so that two apps on one machine never reap each other's. */
  readonly tag: string;
  sandbox(id: string): SandboxPaths;
}

export function stateLayout(stateDir: string, deployment: string): StateLayout {
  const root = path.resolve(stateDir);
  const sandboxes = path.join(root, "sb");
  return {
    root,
    sandboxes,
    nursery: path.join(root, "new"),
    trash: path.join(root, "trash"),
    hostFile: path.join(root, "host.json"),
    tag: createHash("sha256").update(`${root}\0${deployment}`).digest("hex").slice(0, 12),
    sandbox: (id) => sandboxPaths(path.join(sandboxes, id)),
  };
}

export function sandboxPaths(root: string): SandboxPaths {
  return {
    root,
    state: path.join(root, "state.json"),
    seal: path.join(root, "seal.json"),
    intent: path.join(root, "intent.json"),
    image: path.join(root, "disk.img"),
    files: path.join(root, "fs"),
    run: path.join(root, "run"),
    inside: path.join(root, "inside"),
    etc: path.join(root, "etc"),
  };
}
