import { z } from "zod";

/** Where a sandbox is (design.md, section 3). */
export const SANDBOX_STATES = [
  "provisioning",
  "active",
  "hibernating",
  "hibernated",
  "restoring",
  "failed",
  "archiving",
  "archived",
] as const;
export const sandboxState = z.enum(SANDBOX_STATES);
export type SandboxState = z.infer<typeof sandboxState>;

/** What people and rules ask for; the lifecycle walks `state` towards it. */
export const WANTED = ["awake", "asleep", "archived", "deleted"] as const;
export const wanted = z.enum(WANTED);
export type Wanted = z.infer<typeof wanted>;

/** States that a sandbox only passes through; the page polls quickly while in one. */
export const PASSING_STATES: ReadonlySet<SandboxState> = new Set([
  "provisioning",
  "hibernating",
  "restoring",
  "archiving",
]);

/** A failure as a person sees it. `class` is from a closed list per use; `message` never holds a secret. */
export const failureView = z.object({
  class: z.string(),
  message: z.string(),
  retryable: z.boolean(),
  referenceId: z.string(),
});
export type FailureView = z.infer<typeof failureView>;

/** `GET /api/sessions/:id/sandbox`: what the page polls; made from rows only. */
export const sandboxView = z.object({
  state: sandboxState,
  wanted,
  reason: z.string().nullable(),
  since: z.iso.datetime(),
  deadlineAt: z.iso.datetime().nullable(),
  /** When an idle sandbox would fall asleep; null while busy, asleep or passing. */
  hibernateAt: z.iso.datetime().nullable(),
  snapshot: z.object({ id: z.string(), at: z.iso.datetime(), sizeBytes: z.number() }).nullable(),
  error: failureView.nullable(),
  busy: z.boolean(),
  ports: z.array(z.object({ port: z.number(), command: z.string() })),
  idleTimeoutSeconds: z.number(),
  version: z.number(),
});
export type SandboxView = z.infer<typeof sandboxView>;

export const transitionView = z.object({
  version: z.number(),
  from: sandboxState.nullable(),
  to: sandboxState,
  event: z.string(),
  reason: z.string().nullable(),
  at: z.iso.datetime(),
});
export type TransitionView = z.infer<typeof transitionView>;

export const hibernateBody = z.strictObject({ force: z.boolean().optional() });

export const fileEntryView = z.object({
  name: z.string(),
  path: z.string(),
  type: z.enum(["file", "directory", "symlink", "other"]),
  sizeBytes: z.number(),
});
export const filesView = z.object({ entries: z.array(fileEntryView), asleep: z.boolean(), takenAt: z.iso.datetime() });
export type FilesView = z.infer<typeof filesView>;

export const fileContentView = z.object({
  path: z.string(),
  encoding: z.enum(["utf-8", "base64"]),
  content: z.string(),
  lines: z.number().optional(),
  sizeBytes: z.number(),
  truncated: z.boolean(),
});
export type FileContentView = z.infer<typeof fileContentView>;

export const uploadView = z.object({
  files: z.array(
    z.object({
      name: z.string(),
      ok: z.boolean(),
      path: z.string().optional(),
      sizeBytes: z.number().optional(),
      queued: z.boolean().optional(),
      error: z.object({ code: z.string(), message: z.string() }).optional(),
    }),
  ),
});
export type UploadView = z.infer<typeof uploadView>;

export const diffFile = z.object({
  path: z.string(),
  oldPath: z.string().optional(),
  status: z.enum(["added", "modified", "deleted", "renamed"]),
  /** A new file that git does not know yet. */
  untracked: z.boolean().optional(),
  additions: z.number(),
  deletions: z.number(),
  /** Unified diff of this file; empty for binary files and for those over the size limit (`truncated`). */
  patch: z.string(),
  binary: z.boolean().optional(),
  truncated: z.boolean().optional(),
});
export const diffView = z.object({
  base: z.string().nullable(),
  files: z.array(diffFile),
  takenAt: z.iso.datetime(),
  /** True for the copy that was kept when the sandbox fell asleep or was archived. */
  kept: z.boolean(),
});
export type DiffView = z.infer<typeof diffView>;
export type DiffFile = z.infer<typeof diffFile>;

/** `GET /api/sessions/:id/git`: where the branch stands, what was pushed, and words for the next commit. */
export const gitView = z.object({
  branch: z.string().nullable(),
  head: z.string().nullable(),
  /** Commits that the remote does not have. */
  unpushed: z.number(),
  /** Where a push goes: the host of a URL, or the path of a local repository; null without a repository. */
  remote: z.string().nullable(),
  /** The last push from this sandbox. */
  pushed: z.object({ sha: z.string(), branch: z.string(), at: z.iso.datetime() }).nullable(),
  /** Files that the next commit would take, and a message made from their names. */
  uncommitted: z.number(),
  proposedMessage: z.string(),
  takenAt: z.iso.datetime(),
  /** True for what was kept when the sandbox fell asleep or was archived. */
  kept: z.boolean(),
});
export type GitView = z.infer<typeof gitView>;
/** What of it has to be kept, since only the repository knows it. */
export type GitFacts = Pick<GitView, "branch" | "head" | "unpushed" | "pushed">;
