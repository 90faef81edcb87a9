import type { Client } from "pg";

export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
}
export interface App {
  readonly identity: ProcessIdentity;
  /** Resolves with how it ended, such as "code 1" or "SIGKILL". */
  readonly exited: Promise<string>;
}
export interface AppSettings {
  root: string;
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string;
  token: string;
  logFile: string;
  env?: Record<string, string | undefined>;
  outlivesUs?: boolean;
}
export interface EmbeddedPostgres {
  readonly url: string;
  readonly adopted: boolean;
  readonly identity: ProcessIdentity;
  stop(): Promise<void>;
}
export interface Progress {
  say(step: string, text: string): void;
  run<T>(step: string, text: string, work: () => Promise<T>): Promise<T>;
}
export interface Holder {
  readonly pid: number;
  readonly startTime: string;
  readonly phase: "starting" | "running" | "stopping";
  readonly url?: string;
  readonly databaseUrl?: string;
  readonly app?: ProcessIdentity;
}
export interface DataLock {
  readonly previous: Holder | null;
  update(more: Partial<Holder>): void;
  release(): void;
}

export function launchApp(settings: AppSettings): App;
export function localUrl(where: { host: string; port: number }): string;
export function waitUntilReady(options: {
  app: App;
  host: string;
  port: number;
  logFile: string;
  timeoutMs?: number;
  say?: (text: string) => void;
  cancelled?: () => boolean;
}): Promise<void>;
export function buildApp(options: { root: string; progress: Progress }): Promise<void>;
export function takeDataDir(
  dataDir: string,
  say: (text: string) => void,
): Promise<{ lock: DataLock } | { holder: Holder }>;
export function freePort(): Promise<number>;
export function startPostgres(options: {
  dataDir: string;
  log?: (text: string) => void;
  durable?: boolean;
  maxConnections?: number;
}): Promise<EmbeddedPostgres>;
export function stopPostgres(dataDir: string): Promise<void>;
export function ensureDatabase(adminUrl: string, name: string): Promise<string>;
export function withClient<T>(url: string, work: (client: Client) => Promise<T>, timeoutMs?: number): Promise<T>;
export function endProcess(
  identity: ProcessIdentity,
  steps: readonly { signal: NodeJS.Signals; waitMs: number }[],
): Promise<void>;
export function identify(pid: number): ProcessIdentity | null;
export function isAlive(identity: ProcessIdentity | null | undefined): boolean;
export function waitForExit(identity: ProcessIdentity, timeoutMs: number): Promise<boolean>;
export function createProgress(print?: (line: string) => void): Progress;
export function aloneInCheckout<T>(options: { root: string; progress: Progress }, work: () => Promise<T>): Promise<T>;
