"use client";

import { useState } from "react";
import useSWR, { useSWRConfig } from "swr";
import { type ApiFailure, callApi, fetchJson, toFailure } from "@/components/lib/api-client";
import { apiPaths } from "@/components/lib/api-paths";
import { useAgainWhen } from "@/components/lib/use-again-when";
import type { FileContentView, FilesView, UploadView } from "@/lib/sandbox/contract";

/**
 * One folder of the workspace, asked for again when the sandbox becomes another (`sandboxVersion`); asleep it is the
 * last known listing. The root is the empty path.
 */
export function useFiles(sessionId: string, path: string, sandboxVersion: number) {
  const { data, error, mutate } = useSWR<FilesView>(apiPaths.files(sessionId, path), fetchJson);
  useAgainWhen(sandboxVersion, mutate);
  return { files: data, failure: error ? toFailure(error) : null };
}

/** The content of one file. */
export function useFileContent(sessionId: string, path: string, sandboxVersion: number) {
  const { data, error, mutate } = useSWR<FileContentView>(apiPaths.fileContent(sessionId, path), fetchJson);
  useAgainWhen(sandboxVersion, mutate);
  return { content: data, failure: error ? toFailure(error) : null };
}

/** Uploads files into a folder of the workspace and tells for each how it went. */
export function useUpload(sessionId: string, folder: string) {
  const { mutate } = useSWRConfig();
  const [uploading, setUploading] = useState(false);
  const [results, setResults] = useState<UploadView["files"]>([]);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  async function upload(files: readonly File[]): Promise<void> {
    const form = new FormData();
    for (const file of files) form.append("files", file, file.name);
    setUploading(true);
    setFailure(null);
    const answer = await callApi<UploadView>(apiPaths.upload(sessionId, folder), { method: "POST", form });
    setUploading(false);
    setResults(answer.ok ? answer.value.files : []);
    if (!answer.ok) setFailure(answer.error);
    void mutate(apiPaths.files(sessionId, folder));
  }
  return { upload, uploading, results, failure };
}
