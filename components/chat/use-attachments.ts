"use client";

import { useCallback, useState } from "react";
import type { ApiFailure } from "@/components/lib/api-client";
import { callApi } from "@/components/lib/api-client";
import { apiPaths } from "@/components/lib/api-paths";
import type { UploadView } from "@/lib/sandbox/contract";

/** The most files that one message may name (api.md). */
const MOST_FILES = 20;

/** Files that go with the message being written: they are put into the workspace at once and named in the message. */
export function useAttachments(sessionId: string) {
  const [files, setFiles] = useState<readonly string[]>([]);
  const [uploading, setUploading] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);

  const add = useCallback(
    async (chosen: readonly File[]) => {
      const form = new FormData();
      for (const file of chosen.slice(0, MOST_FILES)) form.append("files", file, file.name);
      setUploading(true);
      setFailure(null);
      const answer = await callApi<UploadView>(apiPaths.upload(sessionId, ""), { method: "POST", form });
      setUploading(false);
      if (!answer.ok) {
        setFailure(answer.error);
        return;
      }
      const paths = answer.value.files.flatMap((file) => (file.ok && file.path ? [file.path] : []));
      setFiles((known) => [...new Set([...known, ...paths])].slice(0, MOST_FILES));
      const refused = answer.value.files.find((file) => !file.ok);
      if (refused) {
        const message = `${refused.name}: ${refused.error?.message ?? "it could not be uploaded"}`;
        setFailure({ code: "malformed", message, retryable: false });
      }
    },
    [sessionId],
  );
  const remove = useCallback((path: string) => setFiles((known) => known.filter((entry) => entry !== path)), []);
  const replace = useCallback((paths: readonly string[]) => setFiles(paths), []);
  return { files, uploading, failure, add, remove, replace };
}
