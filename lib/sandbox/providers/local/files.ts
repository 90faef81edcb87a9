import { z } from "zod";
import { SandboxError, type SandboxErrorKind } from "@/lib/sandbox/errors";
import type { FileContent, FileEntry, FileStat } from "@/lib/sandbox/provider";
import { AgentFailure, callAgent } from "./agent-calls";
import { AgentLost } from "./agent-link";

/** Files of a running sandbox, resolved inside by the agent; `folder` is where its control socket lies. */

const MIB = 1024 * 1024;
const READ_BYTES = 16 * MIB;
const MAX_READ_BYTES = 64 * MIB;
const MAX_WRITE_BYTES = 256 * MIB;
const MAX_PATH_BYTES = 4_095;
const LIST_LIMIT = 2_000;
const TRANSFER_TIMEOUT_MS = 120_000;

const fileType = z.enum(["file", "directory", "symlink", "other"]);
const size = z.number().nonnegative();
const mode = z.number().int().min(0).max(0o7777);
const readReply = z.object({ size, mode });
const listReply = z.object({ entries: z.array(z.object({ name: z.string().max(1_024), type: fileType, size })) });
const statReply = z.object({ stat: z.object({ type: fileType, size, mode, modifiedAt: z.number() }).nullable() });

export async function readFileInside(
  folder: string,
  path: string,
  range: { offsetBytes?: number; maxBytes?: number },
): Promise<FileContent> {
  const max = Math.max(0, Math.min(range.maxBytes ?? READ_BYTES, MAX_READ_BYTES));
  const offset = Math.max(0, range.offsetBytes ?? 0);
  const parts: Buffer[] = [];
  let received = 0;
  const reply = await onFile(path, () =>
    callAgent(folder, { op: "read", path, offset, max }, readReply, {
      timeoutMs: TRANSFER_TIMEOUT_MS,
      onFrame: ({ payload }) => {
        received += payload.length;
        if (received > max) throw new AgentLost("the agent sent more than it may");
        parts.push(payload);
      },
    }),
  );
  return { bytes: Buffer.concat(parts), sizeBytes: reply.size, mode: reply.mode };
}

export async function writeFileInside(
  folder: string,
  path: string,
  content: Uint8Array | string,
  fileMode?: number,
): Promise<void> {
  const body = Buffer.from(content);
  if (body.length > MAX_WRITE_BYTES) {
    throw new SandboxError("permanent", "The file is too large to be written in one piece.", { reason: "too_large" });
  }
  const request = { op: "write", path, size: body.length, mode: fileMode === undefined ? null : fileMode & 0o7777 };
  await onFile(path, () => callAgent(folder, request, z.object({}), { body, timeoutMs: TRANSFER_TIMEOUT_MS }));
}

export async function listFilesInside(folder: string, path: string, limit = LIST_LIMIT): Promise<FileEntry[]> {
  const request = { op: "list", path, limit: Math.max(0, Math.min(limit, LIST_LIMIT)) };
  const { entries } = await onFile(path, () => callAgent(folder, request, listReply));
  return entries.slice(0, limit).map((entry) => {
    if (entry.name.includes("/")) throw new AgentLost("the agent sent nonsense");
    return {
      name: entry.name,
      path: path.endsWith("/") ? path + entry.name : `${path}/${entry.name}`,
      type: entry.type,
      sizeBytes: entry.size,
    };
  });
}

export async function statInside(folder: string, path: string): Promise<FileStat | null> {
  const { stat } = await onFile(path, () => callAgent(folder, { op: "stat", path }, statReply));
  if (stat === null) return null;
  return { type: stat.type, sizeBytes: stat.size, mode: stat.mode, modifiedAt: new Date(stat.modifiedAt) };
}

const FAILURES: Readonly<Record<string, readonly [SandboxErrorKind, string, string]>> = {
  ENOENT: ["not_found", "no_such_file", "does not exist"],
  ENOTFILE: ["permanent", "not_a_file", "is not a regular file"],
  EISDIR: ["permanent", "not_a_file", "is a folder"],
  ENXIO: ["permanent", "not_a_file", "is not a regular file"],
  ENODEV: ["permanent", "not_a_file", "is not a regular file"],
  ENOTDIR: ["permanent", "not_a_directory", "is not a folder, or lies under a file"],
  EEXIST: ["permanent", "not_a_directory", "lies under a file"],
  ENAMETOOLONG: ["permanent", "bad_path", "is too long"],
  ELOOP: ["permanent", "bad_path", "is a circle of links"],
  EINVAL: ["permanent", "bad_path", "is not a valid path"],
  EACCES: ["permanent", "denied", "may not be accessed"],
  EPERM: ["permanent", "denied", "may not be accessed"],
  EROFS: ["permanent", "denied", "is read-only"],
  EBUSY: ["permanent", "denied", "is in use by the system"],
  ENOSPC: ["permanent", "disk_full", "does not fit: the disk of the sandbox is full"],
  EDQUOT: ["permanent", "disk_full", "does not fit: the disk of the sandbox is full"],
  EFBIG: ["permanent", "disk_full", "does not fit: the disk of the sandbox is full"],
  EMFILE: ["transient", "busy", "could not be opened just now"],
  ENFILE: ["transient", "busy", "could not be opened just now"],
  ENOMEM: ["transient", "busy", "could not be opened just now"],
};

async function onFile<T>(path: string, operation: () => Promise<T>): Promise<T> {
  if (!path.startsWith("/") || path.includes("\0") || Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw new SandboxError("permanent", "A path is absolute, without NUL and at most 4,095 bytes long.", {
      reason: "bad_path",
    });
  }
  try {
    return await operation();
  } catch (error) {
    if (!(error instanceof AgentFailure)) throw error;
    const [kind, reason, what] = FAILURES[error.code] ?? [
      "permanent",
      "file_error",
      `could not be used (${error.code})`,
    ];
    throw new SandboxError(kind, `${path.slice(0, 200)} ${what}.`, { reason, cause: error });
  }
}
