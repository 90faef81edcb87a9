import { randomUUID } from "node:crypto";
import path from "node:path";
import type { Deps } from "@/lib/deps";
import { type AppError, appError } from "@/lib/kernel/errors";
import { err, ok, type Result } from "@/lib/kernel/result";
import { SandboxError } from "./errors";
import { fileError, realPath, workspacePath } from "./files";
import type { SandboxProvider } from "./provider";
import { requireAwake } from "./service";
import { runScript, WORKSPACE } from "./workspace";

const CHUNK_BYTES = 1024 * 1024;
const FOLDER_MAX_BYTES = 500 * 1024 * 1024;
const PACK_TIMEOUT_MS = 5 * 60_000;
/** On the disk of the sandbox, outside of the workspace; a pack that a crash left behind goes with the next one. */
const PACKS = "/home/user/.dormouse/downloads";

/** What a person takes home: `chunks` reads as fast as the reader takes, and leaves nothing behind when it is ended early. */
export interface Download {
  readonly name: string;
  readonly type: "file" | "folder";
  readonly sizeBytes: number;
  readonly chunks: AsyncGenerator<Uint8Array>;
}

/**
 * Opens a file of an awake sandbox, or packs a folder as .tar.gz without `.git` and `node_modules`. 409 `asleep`, 404 for what
 * is not there or leads out of the workspace, 413 for a folder over 500 MB.
 */
export async function openDownload(deps: Deps, sandboxId: string, wanted: string): Promise<Result<Download, AppError>> {
  const absolute = workspacePath(wanted);
  if (!absolute.ok) return absolute;
  const awake = await requireAwake(deps, sandboxId);
  if (!awake.ok) return awake;
  const id = awake.value.atProvider;
  try {
    const real = await realPath(deps, id, absolute.value);
    if (!real.ok) return real;
    const name = absolute.value === WORKSPACE ? "workspace" : path.posix.basename(absolute.value);
    const stat = await deps.provider.stat(id, real.value);
    if (stat?.type !== "directory") {
      // Also the check that it is a regular file: anything else throws here, before an answer has begun.
      const { sizeBytes } = await deps.provider.readFile(id, real.value, { maxBytes: 1 });
      return ok({ name, type: "file", sizeBytes, chunks: readChunks(deps.provider, id, real.value, sizeBytes) });
    }
    const pack = await packFolder(deps.provider, id, real.value);
    if (!pack.ok) return pack;
    const { file, sizeBytes } = pack.value;
    return ok({ name: `${name}.tar.gz`, type: "folder", sizeBytes, chunks: readPack(deps, id, file, sizeBytes) });
  } catch (error) {
    return err(await fileError(deps, awake.value, error));
  }
}

/** Counts what will be packed, packs it, prints its size. `$1` the folder, `$2` the pack, `$3` most bytes. */
const PACK_SCRIPT = `
set -u
mkdir -p "$(dirname "$2")" || exit 4
find "$(dirname "$2")" -type f -mmin +60 -delete
size=$(du --apparent-size --summarize --bytes --exclude=.git --exclude=node_modules -- "$1" | cut -f1)
[ "$size" -le "$3" ] || exit 3
cd -- "$(dirname -- "$1")" || exit 4
tar --create --gzip --file="$2" --exclude=.git --exclude=node_modules --owner=0 --group=0 -- "./$(basename -- "$1")"
# 1: a file changed while it was read, which is no reason to give nothing.
[ $? -le 1 ] || { rm -f "$2"; exit 4; }
stat --format=%s -- "$2"`;

async function packFolder(
  provider: SandboxProvider,
  id: string,
  folder: string,
): Promise<Result<{ file: string; sizeBytes: number }, AppError>> {
  const file = `${PACKS}/${randomUUID()}.tar.gz`;
  const made = await runScript(provider, id, PACK_SCRIPT, [folder, file, String(FOLDER_MAX_BYTES)], {
    timeoutMs: PACK_TIMEOUT_MS,
    outputCapBytes: 100_000,
  });
  if (made.exitCode === 3)
    return err(appError("too_large", "A folder over 500 MB cannot be packed. Download a part of it."));
  if (made.exitCode !== 0) {
    const full = /No space left/i.test(made.stderr.toString());
    throw new SandboxError("permanent", "the folder could not be packed", {
      reason: full ? "disk_full" : "pack_failed",
    });
  }
  return ok({ file, sizeBytes: Number(made.stdout.toString().trim()) });
}

async function* readPack(deps: Deps, id: string, file: string, sizeBytes: number): AsyncGenerator<Uint8Array> {
  try {
    yield* readChunks(deps.provider, id, file, sizeBytes);
  } finally {
    await runScript(deps.provider, id, 'rm -f -- "$1"', [file]).catch(() => {});
  }
}

/** Exactly `sizeBytes` bytes, as promised to the reader; a file that shrinks meanwhile ends the stream with an error. */
async function* readChunks(
  provider: SandboxProvider,
  id: string,
  file: string,
  sizeBytes: number,
): AsyncGenerator<Uint8Array> {
  for (let offsetBytes = 0; offsetBytes < sizeBytes; ) {
    const maxBytes = Math.min(CHUNK_BYTES, sizeBytes - offsetBytes);
    const { bytes } = await provider.readFile(id, file, { offsetBytes, maxBytes });
    if (bytes.length === 0) throw new SandboxError("transient", "the file became shorter while it was read");
    offsetBytes += bytes.length;
    yield bytes;
  }
}
