import path from "node:path";
import type { Deps } from "@/lib/deps";
import { type AppError, appError, notFound } from "@/lib/kernel/errors";
import { err, ok, type Result } from "@/lib/kernel/result";
import type { DiffView, FileContentView, FilesView, SandboxState, UploadView } from "./contract";
import { isSandboxError, SandboxError } from "./errors";
import { reportLost, requireAwake } from "./service";
import {
  deleteUpload,
  findSandbox,
  insertUpload,
  listUploads,
  lockSandbox,
  providerId,
  type SandboxRow,
} from "./store";
import { readDiff, runScript, WORKSPACE } from "./workspace";

const CONTENT_MAX_BYTES = 1024 * 1024;
const NAME_MAX_BYTES = 200;

/**
 * An absolute path inside the workspace for what a client sent: relative, or absolute below the workspace.
 * What lies beneath is resolved inside the sandbox, so a symbolic link cannot lead out of it.
 */
export function workspacePath(text: string): Result<string, AppError> {
  if (text.includes("\0") || text.length > 4000)
    return err(appError("malformed", "This path cannot be used.", { details: { field: "path" } }));
  const absolute = path.posix.resolve(WORKSPACE, text === "" ? "." : text);
  if (!isInside(absolute)) return err(notFound("This file"));
  return ok(absolute);
}

/**
 * Where a path really leads, links resolved inside the sandbox; what leads out of the workspace is not there
 * (properties.md, S8).
 */
export async function realPath(
  deps: Deps,
  sandboxAtProvider: string,
  absolute: string,
): Promise<Result<string, AppError>> {
  const found = await runScript(deps.provider, sandboxAtProvider, 'realpath --canonicalize-missing -- "$1"', [
    absolute,
  ]);
  const real = found.stdout.toString().replace(/\n$/, "");
  return found.exitCode === 0 && isInside(real) ? ok(real) : err(notFound("This file"));
}

function isInside(absolute: string): boolean {
  return absolute === WORKSPACE || absolute.startsWith(`${WORKSPACE}/`);
}

/** One folder; the last known listing when the sandbox is not awake. */
export async function listFolder(deps: Deps, sandboxId: string, folder: string): Promise<Result<FilesView, AppError>> {
  const absolute = workspacePath(folder);
  if (!absolute.ok) return absolute;
  const row = await findSandbox(deps.db, sandboxId);
  if (!row) return err(notFound("This session"));
  if (row.state !== "active") return listKept(row, absolute.value);
  try {
    const real = await realPath(deps, providerId(row), absolute.value);
    if (!real.ok) return real;
    const entries = await deps.provider.listFiles(providerId(row), real.value);
    return ok({
      entries: entries
        .filter((entry) => !(absolute.value === WORKSPACE && entry.name === ".git"))
        .map((entry) => ({ ...entry, path: relative(`${absolute.value}/${entry.name}`) })),
      asleep: false,
      takenAt: new Date().toISOString(),
    });
  } catch (error) {
    return err(await fileError(deps, row, error));
  }
}

function listKept(row: SandboxRow, absolute: string): Result<FilesView, AppError> {
  if (!row.keptFiles)
    return err(
      appError("asleep", "The files are not known yet; they can be read when the sandbox is awake.", {
        retryable: true,
        details: { state: row.state },
      }),
    );
  const folder = relative(absolute);
  const prefix = folder === "" ? "" : `${folder}/`;
  const entries = row.keptFiles.entries
    .filter(([name]) => name.startsWith(prefix) && !name.slice(prefix.length).includes("/") && name !== ".git")
    .map(([name, type, sizeBytes]) => ({ name: name.slice(prefix.length), path: name, type, sizeBytes }));
  const known = folder === "" || row.keptFiles.entries.some(([name, type]) => name === folder && type === "directory");
  return known ? ok({ entries, asleep: true, takenAt: row.keptFiles.takenAt }) : err(notFound("This folder"));
}

function relative(absolute: string): string {
  return absolute === WORKSPACE ? "" : absolute.slice(WORKSPACE.length + 1);
}

/** Up to 1 MiB of one file, as text where it is text; 409 `asleep` when the sandbox is not awake. */
export async function readContent(
  deps: Deps,
  sandboxId: string,
  file: string,
): Promise<Result<FileContentView, AppError>> {
  const absolute = workspacePath(file);
  if (!absolute.ok) return absolute;
  const awake = await requireAwake(deps, sandboxId);
  if (!awake.ok) return awake;
  try {
    const real = await realPath(deps, awake.value.atProvider, absolute.value);
    if (!real.ok) return real;
    const { bytes, sizeBytes } = await deps.provider.readFile(awake.value.atProvider, real.value, {
      maxBytes: CONTENT_MAX_BYTES,
    });
    const text = decodeText(bytes, bytes.length < sizeBytes);
    return ok({
      path: relative(absolute.value),
      encoding: text === null ? "base64" : "utf-8",
      content: text ?? bytes.toString("base64"),
      ...(text === null ? {} : { lines: countLines(text) }),
      sizeBytes,
      truncated: bytes.length < sizeBytes,
    });
  } catch (error) {
    return err(await fileError(deps, awake.value, error));
  }
}

/** The text of UTF-8 bytes, or null for what is not text. A character that was cut in two at the end is left out. */
function decodeText(bytes: Buffer, cut: boolean): string | null {
  if (bytes.includes(0)) return null;
  for (let less = 0; less <= (cut ? 3 : 0); less++) {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, bytes.length - less));
    } catch {
      // Try without the last byte.
    }
  }
  return null;
}

function countLines(text: string): number {
  if (text === "") return 0;
  const breaks = text.split("\n").length - 1;
  return text.endsWith("\n") ? breaks : breaks + 1;
}

export async function fileError(
  deps: Deps,
  row: Pick<SandboxRow, "id" | "version">,
  error: unknown,
): Promise<AppError> {
  if (!isSandboxError(error)) throw error;
  if (error.kind === "not_found") return notFound("This file");
  if (error.kind === "gone") {
    await reportLost(deps, row);
    return appError("asleep", "The sandbox was lost and is being brought back. Try again in a moment.", {
      retryable: true,
    });
  }
  if (error.kind === "permanent") return permanentFileError(error);
  return appError("unavailable", "The sandbox did not answer. Try again.");
}

function permanentFileError(error: SandboxError): AppError {
  if (error.reason === "not_a_file" || error.reason === "is_a_directory")
    return appError("malformed", "This is not a regular file.", { details: { field: "path" } });
  if (error.reason === "not_a_directory")
    return appError("malformed", "This is not a folder.", { details: { field: "path" } });
  if (error.reason === "disk_full") return appError("unprocessable", "The disk of the sandbox is full.");
  return appError("malformed", "This path cannot be used.", {
    details: { field: "path", ...(error.reason ? { reason: error.reason } : {}) },
  });
}

export interface UploadFile {
  readonly name: string;
  readonly sizeBytes: number;
  bytes(): Promise<Uint8Array>;
}

/**
 * Writes each file into `folder`, one result per file: the name is cleaned, a taken name becomes `name (2)`. Before the
 * sandbox is ready the files wait in the database and are written when the start ends.
 */
export async function uploadFiles(
  deps: Deps,
  sandboxId: string,
  folder: string,
  files: readonly UploadFile[],
): Promise<Result<UploadView, AppError>> {
  const absolute = workspacePath(folder);
  if (!absolute.ok) return absolute;
  const row = await findSandbox(deps.db, sandboxId);
  if (!row) return err(notFound("This session"));
  const waits = isComing(row.state);
  let target = absolute.value;
  if (!waits) {
    const awake = await requireAwake(deps, sandboxId);
    if (!awake.ok) return awake;
    try {
      const real = await realPath(deps, awake.value.atProvider, target);
      if (!real.ok) return real;
      target = real.value;
    } catch (error) {
      return err(await fileError(deps, awake.value, error));
    }
  }
  const results: UploadView["files"] = [];
  const taken = new Set(waits ? (await listUploads(deps.db, sandboxId)).map((upload) => upload.path) : []);
  for (const file of files) results.push(await uploadOne(deps, row, target, file, waits, taken));
  return ok({ files: results });
}

async function uploadOne(
  deps: Deps,
  row: SandboxRow,
  folder: string,
  file: UploadFile,
  waits: boolean,
  taken: Set<string>,
): Promise<UploadView["files"][number]> {
  if (file.sizeBytes > deps.env.uploadMaxBytes) {
    return {
      name: file.name,
      ok: false,
      error: {
        code: "too_large",
        message: `The limit is ${Math.floor(deps.env.uploadMaxBytes / 1024 / 1024)} MB a file.`,
      },
    };
  }
  const name = cleanName(file.name);
  try {
    const target = await freePath(deps, row, folder, name, waits, taken);
    taken.add(target);
    const bytes = await file.bytes();
    if (waits) await keepUpload(deps, row, target, bytes);
    else await deps.provider.writeFile(providerId(row), target, bytes, 0o644);
    return {
      name: path.posix.basename(target),
      ok: true,
      path: relative(target),
      sizeBytes: file.sizeBytes,
      ...(waits ? { queued: true } : {}),
    };
  } catch (error) {
    const { code, message } = await fileError(deps, row, error);
    return { name, ok: false, error: { code, message } };
  }
}

/**
 * Leaves a file for the sandbox to take when it is ready, under the lock that it needs to become so: none can fall between.
 * @throws SandboxError `transient` when it is ready already
 */
async function keepUpload(deps: Deps, row: SandboxRow, target: string, bytes: Uint8Array): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const now = await lockSandbox(tx, row.id);
    if (!now || !isComing(now.state)) throw new SandboxError("transient", "the sandbox has moved on");
    await insertUpload(tx, row.id, target, Buffer.from(bytes).toString("base64"));
  });
}

/** On its way up: files wait for it. */
function isComing(state: SandboxState): boolean {
  return state === "provisioning" || state === "restoring";
}

/** A file name without folders, control characters and leading dots or dashes; never empty. */
export function cleanName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  let clean = last
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .replace(/^[.\s-]+/, "")
    .trim();
  while (Buffer.byteLength(clean) > NAME_MAX_BYTES) clean = clean.slice(1);
  return clean === "" ? "file" : clean;
}

async function freePath(
  deps: Deps,
  row: SandboxRow,
  folder: string,
  name: string,
  waits: boolean,
  taken: ReadonlySet<string>,
): Promise<string> {
  const extension = path.posix.extname(name);
  const stem = name.slice(0, name.length - extension.length);
  for (let copy = 1; copy < 1000; copy++) {
    const target = `${folder}/${copy === 1 ? name : `${stem} (${copy})${extension}`}`;
    const exists = taken.has(target) || (!waits && (await deps.provider.stat(providerId(row), target)) !== null);
    if (!exists) return target;
  }
  return `${folder}/${stem}-${Date.now()}${extension}`;
}

/** Writes the files that waited for the sandbox. Safe to do again. */
export async function deliverUploads(deps: Deps, row: SandboxRow): Promise<number> {
  const waiting = await listUploads(deps.db, row.id);
  for (const upload of waiting) {
    const content = Buffer.from(upload.content, "base64");
    await deps.provider.writeFile(providerId(row), upload.path, content, 0o644).catch((error: unknown) => {
      // A file that cannot be written must not keep the sandbox from coming up.
      if (!isSandboxError(error, "permanent")) throw error;
      deps.log.warn("an uploaded file could not be written", { sandboxId: row.id, reason: error.reason });
    });
    await deleteUpload(deps.db, upload.id);
  }
  return waiting.length;
}

/** The diff as it is now, or the kept copy when the sandbox is not awake. */
export async function getDiff(
  deps: Deps,
  sandboxId: string,
  scope: "all" | "uncommitted",
): Promise<Result<DiffView, AppError>> {
  let row = await findSandbox(deps.db, sandboxId);
  if (!row) return err(notFound("This session"));
  if (row.state === "active") {
    try {
      return ok(await readDiff(deps.provider, providerId(row), row.baseCommit, scope));
    } catch (error) {
      if (!isSandboxError(error)) throw error;
      if (error.kind === "gone") await reportLost(deps, row);
    }
    // It fell asleep under our hands: what was kept on the way is newer than what we have read.
    row = (await findSandbox(deps.db, sandboxId)) ?? row;
  }
  const kept = row.keptDiff?.[scope];
  return ok(kept ?? { base: row.baseCommit, files: [], takenAt: row.since.toISOString(), kept: true });
}
