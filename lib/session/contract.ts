import { z } from "zod";
import { chatView, messageText, userMessageView } from "@/lib/chat/contract";
import { modelView } from "@/lib/model/contract";
import { failureView, sandboxState } from "@/lib/sandbox/contract";

/** Phases of a start, in order (design.md, section 4). */
export const START_PHASES = [
  "WORKING",
  "WAITING_FOR_SANDBOX",
  "PREPARING_REPOSITORY",
  "RUNNING_SETUP_SCRIPT",
  "SETTING_UP_GIT_HOOKS",
  "SETTING_UP_SKILLS",
  "STARTING_CONVERSATION",
] as const;
export type StartPhaseName = (typeof START_PHASES)[number];
export const startStatus = z.enum([...START_PHASES, "READY", "ERROR"]);
export type StartStatus = z.infer<typeof startStatus>;

export const startPhase = z.object({
  name: z.enum(START_PHASES),
  state: z.enum(["pending", "running", "done", "skipped", "failed"]),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
  /** One line for a person: what is being done, why it was skipped, the exit code. */
  detail: z.string().nullable(),
  /** The newest output of the phase (clone progress, setup script), at most 16 kB. */
  output: z.string(),
  deadlineAt: z.iso.datetime().nullable(),
  /** Median of earlier starts, in milliseconds; null before there are any. */
  usualMs: z.number().nullable(),
});
export type StartPhase = z.infer<typeof startPhase>;

/** `GET /api/sessions/:id/start`. */
export const startView = z.object({
  id: z.string(),
  status: startStatus,
  phases: z.array(startPhase),
  queuePosition: z.number().optional(),
  error: failureView.optional(),
  skills: z.array(z.object({ name: z.string(), source: z.string(), path: z.string(), problem: z.string().optional() })),
});
export type StartView = z.infer<typeof startView>;

export const sessionTitle = z.string().trim().min(1).max(200);

/** Of each turn, and of all turns of the session together; at a limit the turn pauses and asks. */
const sessionLimits = z.strictObject({
  maxSteps: z.int().min(1).max(10_000),
  maxCostUsd: z.number().min(0).max(10_000),
  sessionMaxSteps: z.int().min(1).max(1_000_000),
  sessionMaxCostUsd: z.number().min(0).max(100_000),
});

/** Body of `POST /api/sessions`. Unknown keys are refused. */
export const createSessionBody = z.strictObject({
  id: z.uuid().optional(),
  prompt: messageText.optional(),
  title: sessionTitle.optional(),
  model: z.string().min(1).max(200).optional(),
  repo: z
    .strictObject({
      url: z.string().min(1).max(2000),
      branch: z.string().min(1).max(250).optional(),
      newBranch: z.union([z.string().min(1).max(250), z.boolean()]).optional(),
    })
    .optional(),
  instructions: z.string().max(50_000).optional(),
  tags: z.array(z.string().min(1).max(50)).max(20).optional(),
  idleTimeoutSeconds: z.int().min(1).max(31_536_000).optional(),
  limits: sessionLimits.partial().optional(),
  autoCommit: z.boolean().optional(),
  parentId: z.uuid().optional(),
});
export type CreateSessionBody = z.infer<typeof createSessionBody>;

export const patchSessionBody = z.strictObject({
  title: sessionTitle.optional(),
  status: z.enum(["archived", "running"]).optional(),
  /** Raised in place; null takes a limit away. A turn that waits at a limit goes on if it may now. */
  limits: z
    .strictObject({
      maxSteps: sessionLimits.shape.maxSteps.nullable().optional(),
      maxCostUsd: sessionLimits.shape.maxCostUsd.nullable().optional(),
      sessionMaxSteps: sessionLimits.shape.sessionMaxSteps.nullable().optional(),
      sessionMaxCostUsd: sessionLimits.shape.sessionMaxCostUsd.nullable().optional(),
    })
    .optional(),
});
export type PatchSessionBody = z.infer<typeof patchSessionBody>;

export const listSessionsQuery = z.object({
  status: z.enum(["active", "archived"]).default("active"),
  q: z.string().max(200).default(""),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().max(500).optional(),
});
export type ListSessionsQuery = z.infer<typeof listSessionsQuery>;

export const sessionView = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(["running", "archived"]),
  repo: z.object({ url: z.string(), branch: z.string().nullable(), baseBranch: z.string().nullable() }).nullable(),
  model: z.string(),
  tags: z.array(z.string()),
  parentId: z.string().nullable(),
  sandboxState,
  activity: z.enum(["working", "waiting", "idle"]),
  unread: z.boolean(),
  pr: z.null(),
  linesAdded: z.number(),
  linesRemoved: z.number(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  lastActivityAt: z.iso.datetime(),
  archivedAt: z.iso.datetime().nullable(),
  idleTimeoutSeconds: z.number(),
  /** The chat to open first. */
  chatId: z.string().nullable(),
});
export type SessionView = z.infer<typeof sessionView>;

export const sessionListView = z.object({
  sessions: z.array(sessionView),
  nextCursor: z.string().nullable(),
  counts: z.object({ active: z.number(), archived: z.number() }),
});
export type SessionListView = z.infer<typeof sessionListView>;

export const createSessionView = z.object({
  session: sessionView,
  chat: chatView,
  startTask: startView,
  message: userMessageView.optional(),
});
export type CreateSessionView = z.infer<typeof createSessionView>;

/** `GET /api/config`. */
export const configView = z.object({
  models: z.array(modelView),
  defaultModel: z.string(),
  limits: z.object({
    maxActive: z.number(),
    uploadMaxBytes: z.number(),
    idleTimeoutSeconds: z.number(),
    createLimit: z.object({ count: z.number(), seconds: z.number() }),
  }),
  sandbox: z.object({ provider: z.string(), capabilities: z.record(z.string(), z.unknown()) }),
  signIn: z.enum(["link", "accounts"]),
  localRepos: z.boolean(),
  version: z.string(),
});
export type ConfigView = z.infer<typeof configView>;

export const commitBody = z.strictObject({
  message: z.string().trim().min(1).max(20_000).optional(),
  push: z.boolean().optional(),
});
export const commitView = z.object({ sha: z.string(), branch: z.string(), pushed: z.boolean() });
export type CommitView = z.infer<typeof commitView>;
