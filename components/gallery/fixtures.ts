import type { SessionActions } from "@/components/session/use-session-actions";
import type { SandboxState, SandboxView } from "@/lib/sandbox/contract";
import {
  type ConfigView,
  type SessionView,
  START_PHASES,
  type StartPhase,
  type StartPhaseName,
  type StartView,
} from "@/lib/session/contract";
import type { SessionUsageView } from "@/lib/usage/contract";

/** A moment that lies `seconds` back. */
export const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();

export function aSession(change: Partial<SessionView> = {}): SessionView {
  return {
    id: "00000000-0000-4000-8000-000000000001",
    title: "Fix the failing date test",
    status: "running",
    repo: { url: "https://github.com/owner/name", branch: "ow/0a1b2c3d", baseBranch: "main" },
    model: "demo/demo",
    tags: [],
    parentId: null,
    sandboxState: "active",
    activity: "idle",
    unread: false,
    pr: null,
    linesAdded: 128,
    linesRemoved: 16,
    createdAt: ago(8_000),
    updatedAt: ago(400),
    lastActivityAt: ago(400),
    archivedAt: null,
    idleTimeoutSeconds: 1_800,
    chatId: null,
    ...change,
  };
}

export function aSandbox(state: SandboxState, change: Partial<SandboxView> = {}): SandboxView {
  return {
    state,
    wanted: "awake",
    reason: state === "hibernated" ? "idle" : null,
    since: ago(300),
    deadlineAt: null,
    hibernateAt: state === "active" ? ago(-1_700) : null,
    snapshot: state === "hibernated" ? { id: "s", at: ago(300), sizeBytes: 12_400_000 } : null,
    error:
      state === "failed"
        ? { class: "disk_full", message: "The disk of this machine is full.", retryable: true, referenceId: "ref-12" }
        : null,
    busy: false,
    ports: state === "hibernated" ? [{ port: 3000, command: "npm run dev" }] : [],
    idleTimeoutSeconds: 1_800,
    version: 3,
    ...change,
  };
}

/** A start in which the phase `at` is in the given state, with all before it done. */
export function aStart(at: StartPhaseName | "READY", state: StartPhase["state"] = "running"): StartView {
  const index = at === "READY" ? START_PHASES.length : START_PHASES.indexOf(at);
  return {
    id: "start",
    status: state === "failed" ? "ERROR" : at,
    skills: [],
    phases: START_PHASES.map((name, place) => ({
      name,
      state: place < index ? "done" : place === index ? state : "pending",
      startedAt: place <= index ? ago(60 - place * 5) : null,
      endedAt: place < index ? ago(56 - place * 5) : null,
      detail: place === index && state === "failed" ? "exit code 1" : null,
      output: place === index ? "npm ci\nadded 312 packages in 9 s\n" : "",
      deadlineAt: null,
      usualMs: 12_000,
    })),
    ...(state === "failed"
      ? {
          error: {
            class: "setup_failed",
            message: "The setup script ended with exit code 1.",
            retryable: true,
            referenceId: "ref-7",
          },
        }
      : {}),
  };
}

const done = async () => true;

/** Actions that do nothing. */
export const idleActions: SessionActions = {
  running: null,
  failure: null,
  dismiss: () => {},
  resume: done,
  hibernate: done,
  archive: done,
  unarchive: done,
  retryStart: done,
  cancelStart: done,
  rename: done,
  newChat: done,
};

export const aConfig: ConfigView = {
  models: [
    {
      ref: "demo/demo",
      label: "Demo (scripted, no key)",
      provider: "demo",
      contextTokens: null,
      acceptsImages: false,
      price: null,
    },
    {
      ref: "anthropic/a-model",
      label: "A model that sees, with a rather long name",
      provider: "anthropic",
      contextTokens: 200_000,
      acceptsImages: true,
      price: { inputUsd: 3, outputUsd: 15, cacheReadUsd: 0.3, cacheWriteUsd: 3.75 },
    },
  ],
  defaultModel: "demo/demo",
  limits: {
    maxActive: 3,
    uploadMaxBytes: 50_000_000,
    idleTimeoutSeconds: 1_800,
    createLimit: { count: 10, seconds: 60 },
  },
  sandbox: { provider: "local", capabilities: {} },
  signIn: "link",
  localRepos: true,
  version: "0.1.0",
};

/** A session that has used a good part of its model's window. */
export const aUsage: SessionUsageView = {
  total: {
    calls: 14,
    inputTokens: 412_000,
    outputTokens: 9_300,
    cacheReadTokens: 371_000,
    cacheWriteTokens: 24_000,
    reasoningTokens: 2_100,
    costUsd: 0.42,
    unpriced: 0,
    estimated: 1,
  },
  byModel: [],
  turns: [],
  limits: { maxSteps: 50, maxCostUsd: 1, sessionMaxSteps: null, sessionMaxCostUsd: 10 },
  steps: 13,
  lastStep: { chatId: "chat", model: "anthropic/a-model", contextTokens: 168_000 },
};
