import { API_HEADERS } from "./respond";

/**
 * Answers bytes of a sandbox as a file to keep. They are hostile, so a browser must never show them under our origin: always an
 * attachment, of no type that it would render or guess, and in a sandbox of its own if it did.
 */
export function attachmentResponse(
  file: { readonly name: string; readonly sizeBytes: number; readonly chunks: AsyncGenerator<Uint8Array> },
  signal: AbortSignal,
): Response {
  const { chunks } = file;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await chunks.next();
          if (next.done || signal.aborted) {
            await chunks.return(undefined);
            return controller.close();
          }
          controller.enqueue(next.value);
        } catch (error) {
          controller.error(error);
        }
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 1 },
  );
  return new Response(body, {
    headers: {
      ...API_HEADERS,
      "Content-Type": "application/octet-stream",
      "Content-Length": String(file.sizeBytes),
      "Content-Disposition": contentDisposition(file.name),
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "X-Accel-Buffering": "no",
    },
  });
}

/** RFC 6266: a plain name for old readers, and the real one encoded. Nothing in it can end the header or name a folder. Pure. */
export function contentDisposition(name: string): string {
  const clean =
    name
      .toWellFormed()
      .replaceAll(/[\p{Cc}\p{Cf}]/gu, "")
      .replaceAll(/[/\\]/g, "_")
      .replace(/^\.+$/, "") || "download";
  const plain = clean.replaceAll(/[^ -~]/g, "_").replaceAll(/["\\%]/g, "_");
  const encoded = encodeURIComponent(clean).replaceAll(/['()*!]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
