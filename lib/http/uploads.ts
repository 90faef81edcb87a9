import { type AppError, appError } from "@/lib/kernel/errors";
import { err, ok, type Result } from "@/lib/kernel/result";
import type { UploadFile } from "@/lib/sandbox/files";

const MAX_FILES = 20;

/** Reads a multipart form: every file in it, and the text field `path` for the folder. */
export async function readUploads(
  request: Request,
  maxBytes: number,
): Promise<Result<{ readonly files: UploadFile[]; readonly folder: string | null }, AppError>> {
  if (!/^multipart\/form-data\b/i.test(request.headers.get("content-type") ?? ""))
    return err(appError("malformed", "Send files as multipart/form-data."));
  // The limit is per file and answered per file; a request far beyond it is not read at all.
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes * 2 + 1024 * 1024) {
    return err(appError("too_large", `The limit is ${Math.floor(maxBytes / 1024 / 1024)} MB a file.`));
  }
  let form: FormData;
  try {
    form = await request.formData();
  } catch {
    return err(appError("malformed", "The form cannot be read."));
  }
  const files = [...form.values()].filter((value): value is File => typeof value !== "string");
  if (files.length === 0) return err(appError("malformed", "The form has no file."));
  if (files.length > MAX_FILES) return err(appError("malformed", `At most ${MAX_FILES} files at a time.`));
  if (files.every((file) => file.size > maxBytes))
    return err(appError("too_large", `The limit is ${Math.floor(maxBytes / 1024 / 1024)} MB a file.`));
  const folder = form.get("path");
  return ok({
    folder: typeof folder === "string" ? folder : null,
    files: files.map((file) => ({
      name: file.name,
      sizeBytes: file.size,
      bytes: async () => new Uint8Array(await file.arrayBuffer()),
    })),
  });
}
