import type { Duplex } from "node:stream";

/**
 * The port behind which every kind of sandbox lives (design.md, section 7). Adapters: `local`, `fake`, later `vercel`.
 * All methods throw `SandboxError` and nothing else. Sandbox ids are chosen by the caller, are safe as a file name
 * (`[a-z0-9-]{1,40}`) and make `create` idempotent. Paths are absolute POSIX paths inside the sandbox.
 */
export interface SandboxProvider {
  readonly name: string;
  readonly capabilities: SandboxCapabilities;

  /** Brings a new sandbox up with an empty `/workspace`. A second call with the same id adopts what the first one made. */
  create(spec: SandboxSpec): Promise<void>;

  /** Says where a sandbox is. Never boots anything, never waits for a sandbox (design.md, rule 5). */
  peek(id: string): Promise<SandboxPeek>;

  /**
   * Boots a hibernated sandbox from its snapshot; a running one is left alone. Files are as they were, processes are not.
   * Throws `not_found` when there is nothing to resume from and `permanent` with reason `snapshot_damaged` when the
   * seal does not match what lies on the disk.
   */
  resume(spec: SandboxSpec): Promise<void>;

  /**
   * Stops all processes, seals the files and verifies the seal before anything is freed. Idempotent.
   * When sealing fails nothing is lost and the sandbox can be resumed; throws `transient`.
   */
  hibernate(id: string): Promise<SandboxSnapshot>;

  /** Makes a new sandbox whose files are those of a hibernated one; both can be used afterwards, apart from each other. */
  fork(fromId: string, spec: SandboxSpec): Promise<void>;

  /** Removes sandbox and snapshot with all files. Idempotent: nothing there is success. */
  destroy(id: string): Promise<void>;

  /** Every sandbox of this deployment that exists at the provider, running or not. */
  list(): Promise<SandboxPeek[]>;

  /**
   * Starts a command once: a second call with the same `commandId` starts nothing. The command outlives the app;
   * its output is kept in the sandbox (the newest `outputCapBytes`) until the sandbox stops.
   */
  spawn(id: string, command: SpawnSpec): Promise<void>;

  /**
   * Follows a command: what it has said so far, then what comes, last its exit. Works again after a restart of the app.
   * Throws `not_found` when the sandbox does not know the command (it was never started here, or the sandbox was restarted)
   * and `gone` when the sandbox is lost. Aborting `signal` stops following; it does not kill.
   */
  attach(id: string, commandId: string, signal?: AbortSignal): AsyncIterable<CommandEvent>;

  /** Kills a command and everything it started (its process group). Unknown or ended commands are success. */
  kill(id: string, commandId: string, signal?: "SIGTERM" | "SIGKILL" | "SIGINT"): Promise<void>;

  /** Runs a short command to its end; aborting `signal` or passing `timeoutMs` kills it. For our own use, not the agent's. */
  exec(id: string, command: ExecSpec): Promise<ExecResult>;

  /** The commands that the sandbox knows, running and ended. */
  commands(id: string): Promise<CommandInfo[]>;

  /** Reads at most `maxBytes` from `offsetBytes`. Refuses what is not a regular file (`permanent`, reason `not_a_file`). */
  readFile(id: string, path: string, range?: { offsetBytes?: number; maxBytes?: number }): Promise<FileContent>;

  /** Writes a whole file atomically (temporary name, then rename), making parent folders. Keeps the mode of a file that is replaced. */
  writeFile(id: string, path: string, content: Uint8Array | string, mode?: number): Promise<void>;

  /** The entries of one folder, sorted by name, at most `limit` (default 2,000). */
  listFiles(id: string, path: string, limit?: number): Promise<FileEntry[]>;

  /** Metadata without following a last symbolic link; `null` when there is nothing. */
  stat(id: string, path: string): Promise<FileStat | null>;

  /** A raw connection to a TCP port on the loopback of the sandbox. */
  dial(id: string, port: number): Promise<Duplex>;

  /** The TCP ports on which something inside listens, ascending; our own helper ports are left out. */
  listeningPorts(id: string): Promise<ListeningPort[]>;

  /** Changes what the sandbox may reach from now on; takes effect on new connections at once, survives hibernation. */
  setNetwork(id: string, network: NetworkPolicy): Promise<void>;

  stats(id: string): Promise<SandboxStats>;

  /** Called once at boot: finishes or undoes what a crash left half done, adopts live sandboxes, removes orphan processes. */
  recover(): Promise<void>;

  /** Hibernates every running sandbox within `timeoutMs` (Ctrl-C). */
  sealAll(timeoutMs: number): Promise<void>;

  /** Lets go of listeners and timers; running sandboxes stay up for adoption. */
  close(): Promise<void>;
}

export interface SandboxCapabilities {
  readonly fork: "instant" | "copy" | "none";
  /** Whether taking a snapshot stops the sandbox. */
  readonly snapshotStops: boolean;
  readonly keepsMemory: boolean;
  /** Whether the memory limit is enforced by the kernel (else by a watchdog). */
  readonly hardMemory: boolean;
  readonly diskQuota: "hard" | "soft";
  readonly isolation: "vm" | "namespaces" | "none";
  /** Longest life in one piece, or null when there is no such limit. */
  readonly maxLifeMs: number | null;
}

export interface SandboxLimits {
  readonly memoryBytes: number;
  readonly processes: number;
  readonly diskBytes: number;
}

/** design.md, section 7: 1 GB of memory, 512 processes, 4 GB of disk unless a deployment says otherwise. */
export const DEFAULT_LIMITS: SandboxLimits = {
  memoryBytes: 1024 * 1024 * 1024,
  processes: 512,
  diskBytes: 4 * 1024 * 1024 * 1024,
};

export interface NetworkPolicy {
  /** `host`, `*.host` or `host:port`; a private or loopback address only when named with its port. */
  readonly allow: readonly string[];
  /** The one repository that the git gateway serves to this sandbox, as its upstream URL without credentials, or null. */
  readonly gitRemote: string | null;
}

export interface SandboxSpec {
  readonly id: string;
  readonly limits: SandboxLimits;
  readonly network: NetworkPolicy;
  /** Environment of every command; never a secret. */
  readonly env: Readonly<Record<string, string>>;
}

export interface SandboxSnapshot {
  readonly id: string;
  readonly at: Date;
  readonly sizeBytes: number;
}

export interface SandboxPeek {
  readonly id: string;
  readonly state: "running" | "hibernated" | "missing";
  /** Another one after each boot, null when not running: tells whether a command can still be known inside. */
  readonly bootId: string | null;
  readonly snapshot: SandboxSnapshot | null;
}

export interface SpawnSpec {
  readonly commandId: string;
  /** Either a shell line for `bash -c`, or an argument vector. */
  readonly command: string | readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** After this the process group is killed and the exit says `timedOut`. */
  readonly timeoutMs?: number;
  readonly outputCapBytes?: number;
  /** Dev servers and the like: recorded at hibernation and started again after a resume. */
  readonly background?: boolean;
}

export interface ExecSpec {
  readonly command: string | readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly outputCapBytes?: number;
  readonly signal?: AbortSignal;
  readonly stdin?: Uint8Array | string;
  readonly onOutput?: (stream: "stdout" | "stderr", bytes: Uint8Array) => void;
}

export interface CommandExit {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** Bytes of output that the cap dropped. */
  readonly droppedBytes: number;
  /** Set when the command could not be started at all. */
  readonly error?: string;
}

export type CommandEvent =
  | { readonly type: "output"; readonly stream: "stdout" | "stderr"; readonly bytes: Uint8Array }
  | ({ readonly type: "exit" } & CommandExit);

export interface ExecResult extends CommandExit {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

export interface CommandInfo {
  readonly commandId: string;
  readonly command: string;
  readonly cwd: string;
  readonly background: boolean;
  readonly startedAt: Date;
  readonly exit: CommandExit | null;
}

export interface FileContent {
  readonly bytes: Buffer;
  /** Of the whole file. */
  readonly sizeBytes: number;
  readonly mode: number;
}

export type FileType = "file" | "directory" | "symlink" | "other";

export interface FileEntry {
  readonly name: string;
  readonly path: string;
  readonly type: FileType;
  readonly sizeBytes: number;
}

export interface FileStat {
  readonly type: FileType;
  readonly sizeBytes: number;
  readonly mode: number;
  readonly modifiedAt: Date;
}

export interface ListeningPort {
  readonly port: number;
  /** The command line and folder of the process that listens, as far as the sandbox can tell. */
  readonly command: readonly string[];
  readonly cwd: string;
}

export interface SandboxStats {
  readonly memoryBytes: number;
  readonly processes: number;
  readonly diskBytes: number;
  readonly cpuMs: number;
}
