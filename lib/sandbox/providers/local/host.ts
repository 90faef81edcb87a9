import { constants, existsSync, realpathSync } from "node:fs";
import { access, mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { SandboxError } from "@/lib/sandbox/errors";
import { Cgroups } from "./cgroups";
import { readIfPresent, writeDurably } from "./durable-file";
import { createImage } from "./image";
import type { StateLayout } from "./layout";
import { seccompFilter } from "./seccomp";
import { runTool, TOOL_PATH } from "./tools";

/** What this machine lets us do, found out once. */
export interface Host {
  /** True when the app is root: sandboxes then run as `runAs`, with limits by the kernel. */
  readonly isRoot: boolean;
  readonly runAs: { readonly uid: number; readonly gid: number };
  readonly cgroups: Cgroups;
  /** One ext4 image per sandbox is the hard limit of its disk; false means a watchdog. */
  readonly hasImages: boolean;
  readonly canDisableUserns: boolean;
  readonly seccomp: Buffer;
  readonly nodePath: string;
  readonly nodeModules: string | null;
  readonly agentDir: string;
  /** A folder that the launcher covers, in a mount namespace of its own, to make things reachable for `runAs`. */
  readonly stage: string;
}

export interface HostOptions {
  readonly nodePath: string;
  readonly agentPath: string;
  /** The first uid to consider when the app is root. */
  readonly firstUid: number;
  readonly log: (line: string) => void;
}

const FIX = "Run `npm run doctor` for the details.";

/** Surveys the machine. Throws `permanent` with advice when something that isolation needs is missing. */
export async function surveyHost(layout: StateLayout, options: HostOptions): Promise<Host> {
  if (process.platform !== "linux") throw unfit("Local sandboxes need Linux. Use a hosted sandbox provider here.");
  const seccomp = seccompFilter();
  if (!seccomp) throw unfit(`Local sandboxes know x64 and arm64 processors, not ${process.arch}.`);
  const isRoot = process.getuid?.() === 0;
  await requireTools(["bwrap", "unshare", "prlimit", "git", "bash", "find", ...(isRoot ? ["setpriv", "mount"] : [])]);
  await access(options.agentPath, constants.R_OK).catch(() => {
    throw unfit(`The agent file ${options.agentPath} is missing.`);
  });
  await mkdir(layout.root, { recursive: true, mode: 0o700 });
  for (const folder of [layout.sandboxes, layout.nursery, layout.trash]) await mkdir(folder, { recursive: true });
  const nodePath = realpathSync(options.nodePath);
  const nodeModules = path.join(path.dirname(nodePath), "..", "lib", "node_modules");
  const agentDir = realpathSync(path.dirname(options.agentPath));
  const cgroups = await Cgroups.probe(layout.tag);
  const stage = isRoot ? pickStage([layout.root, nodePath, agentDir]) : "";
  const hasImages = isRoot && (await canMountImages(layout, stage, options.log));
  if (isRoot && cgroups.kind === "none") options.log("no cgroups: memory is limited by a watchdog");
  return {
    isRoot,
    runAs: isRoot
      ? await pickUid(layout, options.firstUid)
      : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
    cgroups,
    hasImages,
    canDisableUserns: (await runTool(["bwrap", "--help"])).includes("--disable-userns"),
    seccomp,
    nodePath,
    nodeModules: existsSync(path.join(nodeModules, "npm")) ? path.resolve(nodeModules) : null,
    agentDir,
    stage,
  };
}

export function unfit(message: string, cause?: unknown): SandboxError {
  return new SandboxError("permanent", `${message} ${FIX}`, { reason: "host_cannot_isolate", cause });
}

const PACKAGES: Readonly<Record<string, string>> = { bwrap: "bubblewrap", git: "git", bash: "bash", find: "findutils" };

async function requireTools(names: readonly string[]): Promise<void> {
  const missing = names.filter((name) => !TOOL_PATH.split(":").some((folder) => existsSync(path.join(folder, name))));
  if (missing.length === 0) return;
  const packages = [...new Set(missing.map((name) => PACKAGES[name] ?? "util-linux"))].join(" ");
  throw unfit(`Missing on this host: ${missing.join(", ")}. On Debian and Ubuntu: apt-get install ${packages}.`);
}

/** A uid that nobody on this host has, kept from then on: the files of the sandboxes belong to it. */
async function pickUid(layout: StateLayout, firstUid: number): Promise<{ uid: number; gid: number }> {
  const kept = await readIfPresent(layout.hostFile);
  const uid: unknown = kept === null ? null : JSON.parse(kept).uid;
  if (typeof uid === "number" && uid > 0) return { uid, gid: uid };
  const taken = new Set<number>();
  for (const file of ["/etc/passwd", "/etc/group"]) {
    for (const line of (await readFile(file, "utf8").catch(() => "")).split("\n"))
      taken.add(Number(line.split(":")[2]));
  }
  let free = firstUid;
  while (taken.has(free)) free += 1;
  await writeDurably(layout.hostFile, JSON.stringify({ uid: free }));
  return { uid: free, gid: free };
}

/** Whatever lies under the chosen folder is hidden from the launcher, so nothing it needs may. */
function pickStage(needed: readonly string[]): string {
  for (const folder of ["/mnt", "/media", "/srv", "/run", "/tmp"]) {
    if (!existsSync(folder) || realpathSync(folder) !== folder) continue;
    if (!needed.some((file) => `${file}/`.startsWith(`${folder}/`))) return folder;
  }
  throw unfit("No folder is left to prepare sandboxes in: one of /mnt, /media, /srv, /run or /tmp must exist.");
}

async function canMountImages(layout: StateLayout, stage: string, log: (line: string) => void): Promise<boolean> {
  const image = path.join(layout.nursery, `probe-${process.pid}.img`);
  try {
    await createImage(image, 8 * 1024 * 1024, 0);
    await runTool(["unshare", "--mount", "--propagation", "private", "--", "mount", "-o", "loop", image, stage]);
    return true;
  } catch (error) {
    log(`no loop mounts: the disk limit of sandboxes is soft (${String(error).split("\n")[0]})`);
    return false;
  } finally {
    await rm(image, { force: true });
  }
}
