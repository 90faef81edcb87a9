"use client";

import { useRef } from "react";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/error-note";
import { useUpload } from "@/components/workspace/use-files";

/** Brings files into a folder of the workspace and says for each under which name it lies there. */
export function UploadBar({ sessionId, folder }: { sessionId: string; folder: string }) {
  const picker = useRef<HTMLInputElement>(null);
  const { upload, uploading, results, failure } = useUpload(sessionId, folder);
  return (
    <div className="flex flex-col gap-2 border-t border-line bg-surface p-3">
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        onChange={(event) => {
          const files = Array.from(event.target.files ?? []);
          event.target.value = "";
          if (files.length > 0) void upload(files);
        }}
      />
      <div className="flex items-center gap-3">
        <Button icon="upload" busy={uploading} onClick={() => picker.current?.click()}>
          Upload files
        </Button>
        <div role="status" className="min-w-0 flex-1 text-xs text-ink-faint">
          {results.map((result) => (
            <p key={result.path ?? result.name} className={`truncate ${result.ok ? "" : "text-danger"}`}>
              {result.ok ? uploadedWords(result) : `${result.name}: ${result.error?.message ?? "failed"}`}
            </p>
          ))}
        </div>
      </div>
      {failure && <ErrorNote message={failure.message} reference={failure.requestId} />}
    </div>
  );
}

function uploadedWords(result: { name: string; path?: string | undefined; queued?: boolean | undefined }): string {
  return result.queued ? `${result.name} waits for the sandbox` : (result.path ?? result.name);
}
